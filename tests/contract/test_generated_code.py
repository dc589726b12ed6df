"""1.1 Code for languages without an SDK is generated, and parsed or loaded where that is cheap.

Presupposes protoc with all its generators, Ruby with google-protobuf, and PHP. A machine without
one of them skips its test; with CI=true it fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from tests.contract.test_contract import FILES, PROTO

GENERATED = {
    "cpp": ".pb.cc",
    "csharp": ".cs",
    "java": ".java",
    "kotlin": ".kt",
    "objc": ".pbobjc.m",
    "php": ".php",
    "ruby": "_pb.rb",
}
"""The languages of protoc's own generators whose code is not kept here, and how files end."""

LOAD = "Dir.glob('**/*_pb.rb') { |file| require file }; puts Taflhall::V1::Match.descriptor.name"

PARSE = """
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('.')) as $file)
    if ($file->getExtension() === 'php')
        token_get_all(file_get_contents($file), TOKEN_PARSE);
echo 'parsed';
"""


def tool(name: str) -> str:
    """Return a program; skip the test if this machine lacks it, or fail with CI=true."""
    found = shutil.which(name)
    if found is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{name} is missing")
    return found


def generate(language: str, out: Path) -> list[Path]:
    """Generate the code of *language* into a folder; return its files."""
    folder = out / language
    folder.mkdir()
    names = [file.relative_to(PROTO).as_posix() for file in FILES]
    known = files("grpc_tools") / "_proto"
    options = [f"-I{PROTO}", f"-I{known}", f"--{language}_out={folder}"]
    run(folder, tool("protoc"), *options, *names)
    return [path for path in folder.rglob("*") if path.is_file()]


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("language", GENERATED)
def test_1_1_code_is_generated_for_every_file(language: str, tmp_path: Path) -> None:
    found = [path.name for path in generate(language, tmp_path)]
    assert len([name for name in found if name.endswith(GENERATED[language])]) >= len(FILES)


def test_1_1_a_file_of_java_holds_one_message(tmp_path: Path) -> None:
    longest = max(generate("java", tmp_path), key=lambda path: path.stat().st_size)
    assert longest.stat().st_size < 1_000_000


def test_1_1_the_code_of_ruby_loads(tmp_path: Path) -> None:
    ruby = tool("ruby")
    generate("ruby", tmp_path)
    assert run(tmp_path / "ruby", ruby, "-I.", "-e", LOAD).strip() == "taflhall.v1.Match"


def test_1_1_the_code_of_php_parses(tmp_path: Path) -> None:
    php = tool("php")
    generate("php", tmp_path)
    assert run(tmp_path / "php", php, "-r", PARSE) == "parsed"
