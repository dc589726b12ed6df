"""The five SDKs in the documentation: the table that compares them, and the bot of each README."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "other-languages.md"
SOURCES = {
    "Python": ("clients/python/taflhall_client", "*.py"),
    "TypeScript": ("clients/typescript/src", "*.ts"),
    "Go": ("clients/go", "*.go"),
    "Rust": ("clients/rust/src", "*.rs"),
    "Java": ("clients/java/src/main/java", "*.java"),
}
BOTS = {
    "go": "clients/go/examples/bot/main.go",
    "rust": "clients/rust/examples/bot.rs",
    "typescript": "clients/typescript/examples/bot.ts",
    "java": "clients/java/examples/Bot.java",
}
MOST_LINES = 25


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


def column(language: str) -> list[str]:
    """Return the names of a language in the table."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    place = cells(lines[0]).index(language)
    return [name for line in lines[2:] for name in re.findall(r"`([^`]+)`", cells(line)[place])]


@pytest.mark.parametrize("language", SOURCES)
def test_every_name_of_the_table_is_in_the_source(language):
    folder, pattern = SOURCES[language]
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / folder).rglob(pattern))
    names = {name.rpartition(".")[2] for name in column(language)}
    assert len(names) > 20
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", code)] == []


@pytest.mark.parametrize("language", BOTS)
def test_the_bot_of_a_readme_is_an_example_of_few_lines(language):
    readme = (ROOT / "clients" / language / "README.md").read_text("utf-8")
    excerpt = re.search(rf"<!-- from {BOTS[language]} -->\n```\w+\n(.*?)```", readme, re.DOTALL)
    assert excerpt is not None
    assert len(excerpt[1].splitlines()) <= MOST_LINES
