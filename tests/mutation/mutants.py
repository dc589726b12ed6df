"""One-token mutants of a Python module.

A mutant replaces one node of the syntax tree: another comparison, another operator, a number one
higher or lower, ``or`` for ``and``, one condition less, a negated condition, ``max`` for ``min``,
``return None``, or a dropped statement. Texts, annotations, assertions, imports, docstrings and
calls of a logger stay as they are.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
LOGGER: Final = "_log"


class Mutant(NamedTuple):
    """A module with one token changed."""

    path: Path
    function: str
    """The qualified name of the function or class it is in; empty at the level of the module."""
    was: str
    """The changed expression or statement as it is, in the spelling of ``ast.unparse``."""
    now: str
    """The same as the mutant has it; ``pass`` if a statement is dropped."""
    nth: int
    """Counts from 1 those of the function that read alike."""
    static: bool
    """It is executed when the module is imported, not when a function is called."""
    first: int
    last: int
    """The lines of the statement (of its head, if it is a compound one)."""
    node: int
    replacement: ast.AST

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What names the mutant as long as its function does not change."""
        return self.path.stem, self.function, self.was, self.now, self.nth

    def compile(self) -> CodeType:
        """Return the code of the changed module."""
        tree = ast.parse(self.path.read_text("utf-8"))
        target = list(ast.walk(tree))[self.node]
        _Replacing(target, copy.deepcopy(self.replacement)).visit(tree)
        ast.fix_missing_locations(tree)
        return compile(tree, str(self.path), "exec", dont_inherit=True)


class _Replacing(ast.NodeTransformer):
    def __init__(self, target: ast.AST, replacement: ast.AST) -> None:
        self._target = target
        self._replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._target:
            return ast.copy_location(self._replacement, node)
        return self.generic_visit(node)


def mutants_of(path: Path, numbers: set[str]) -> list[Mutant]:
    """Return the mutants of the module at *path*; *numbers* are its constants that hold one."""
    tree = ast.parse(path.read_text("utf-8"))
    index = {node: number for number, node in enumerate(ast.walk(tree))}
    found: list[Mutant] = []
    alike: Counter[tuple[str, str, str]] = Counter()
    for place in _places(tree, "", True):
        for replacement in _variants(place.node, numbers):
            was, now = ast.unparse(place.node), ast.unparse(replacement)
            named = (place.function, was, now)
            alike[named] += 1
            found.append(
                Mutant(
                    path,
                    place.function,
                    was,
                    now,
                    alike[named],
                    place.static,
                    place.first,
                    place.last,
                    index[place.node],
                    replacement,
                )
            )
    return found


class _Place(NamedTuple):
    node: ast.AST
    function: str
    static: bool
    first: int
    last: int


def _places(
    node: ast.AST, function: str, static: bool, first: int = 0, last: int = 0
) -> Iterator[_Place]:
    """Yield every node that may be changed, with where it is."""
    if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom | ast.arg) or _logs(node):
        return
    if isinstance(node, ast.stmt):
        first, last = _lines(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        name = f"{function}.{node.name}" if function else node.name
        inner = isinstance(node, ast.ClassDef)
        if not isinstance(node, ast.ClassDef):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    yield from _places(default, name, True, first, last)
        for child in node.body:
            if not _is_docstring(child):
                yield from _places(child, name, inner, first, last)
        return
    yield _Place(node, function, static, first, last)
    for field, value in ast.iter_fields(node):
        if field == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield from _places(child, function, static, first, last)


def _lines(node: ast.stmt) -> tuple[int, int]:
    body = getattr(node, "body", None)
    end = node.end_lineno or node.lineno
    return node.lineno, body[0].lineno - 1 if isinstance(body, list) else end


def _logs(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith(f"{LOGGER}.")


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _variants(node: ast.AST, numbers: set[str]) -> Iterator[ast.AST]:
    """Yield what may stand instead of *node*."""
    if isinstance(node, ast.Compare):
        for n, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                ops: list[ast.cmpop] = [*node.ops[:n], other(), *node.ops[n + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in OPERATORS:
            changed = copy.copy(node)
            changed.op = OPERATORS[type(node.op)]()
            yield changed
        if isinstance(node, ast.AugAssign):
            yield ast.Pass()
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for n in range(len(node.values)):
            rest = [*node.values[:n], *node.values[n + 1 :]]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant | ast.Name):
        yield from _other_values(node, numbers)
    else:
        yield from _other_statements(node)


def _other_values(node: ast.Constant | ast.Name, numbers: set[str]) -> Iterator[ast.AST]:
    if isinstance(node, ast.Name):
        if node.id in FUNCTIONS:
            yield ast.Name(FUNCTIONS[node.id], node.ctx)
        elif isinstance(node.ctx, ast.Load) and node.id in numbers:
            yield ast.BinOp(node, ast.Add(), ast.Constant(1))
    elif isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def _other_statements(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        if isinstance(node.test, ast.Call | ast.Name | ast.Attribute | ast.Subscript):
            changed = copy.copy(node)
            changed.test = ast.UnaryOp(ast.Not(), node.test)
            yield changed
    elif isinstance(node, ast.Return):
        if node.value is None:
            yield ast.Pass()
        elif not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue | ast.Break | ast.Expr | ast.Raise | ast.Delete):
        yield ast.Pass()
    elif isinstance(node, ast.Assign):
        if not isinstance(node.targets[0], ast.Name | ast.Tuple):
            yield ast.Pass()
