"""What a restore says of a damaged backup or a wrong place, and what it leaves there: nothing."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from taflhall_service.operate.backup import MANIFEST
from taflhall_service.operate.command import run_tool
from taflhall_service.operate.folders import BackupError, Disk
from taflhall_service.operate.restore import restore
from taflhall_service.store.embedded import LOG, RESTORING

DIGEST = hashlib.sha256(b"").hexdigest()
GOOD = {"format": 1, "files": {MANIFEST: DIGEST}}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Make a backup of one empty file."""
    folder = tmp_path / "copy"
    (folder / LOG).mkdir(parents=True)
    (folder / LOG / MANIFEST).touch()
    (folder / "backup.json").write_text(json.dumps(GOOD))
    return folder


def files(names: Any) -> str:
    return json.dumps({"format": 1, "files": names})


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not a JSON object"),
        ("null", "it is not a JSON object"),
        ("7", "it is not a JSON object"),
        ("{}", "it has no 'format'"),
        ('{"files": {}}', "it has no 'format'"),
        ('{"format": 1}', "it has no 'files'"),
        (files(None), "its 'files' are not a JSON object"),
        (files([MANIFEST]), "its 'files' are not a JSON object"),
        (files({}), f"its 'files' lack '{MANIFEST}'"),
        (files({MANIFEST: 7}), f"the digest of '{MANIFEST}' in it is not a SHA-256"),
        (files({MANIFEST: DIGEST, "x": None}), "the digest of 'x' in it is not a SHA-256"),
        (files({MANIFEST: "short"}), f"the digest of '{MANIFEST}' in it is not a SHA-256"),
        *(
            (files({name: DIGEST}), f"its 'files' name {name!r}, which is not a file of a backup")
            for name in ("", ".", "..", "/etc/passwd", "../x", "a\0b", "\ud800")
        ),
    ],
)
def test_a_damaged_manifest_is_named_with_what_is_wrong_and_what_would_be_right(
    copy, tmp_path, capsys, written, message
):
    (copy / "backup.json").write_text(written)
    tool = ["restore", "--from", str(copy), "--store", f"embedded:{tmp_path / 'new'}"]
    assert run_tool(tool) == 2
    output = capsys.readouterr().err
    assert f"{copy / 'backup.json'} is damaged: {message}. " in output
    assert "whose 'format' is 1 and whose 'files' give each file's name and SHA-256" in output
    assert not (tmp_path / "new").exists()


def test_a_manifest_of_another_format_is_not_called_damaged(copy, tmp_path):
    (copy / "backup.json").write_text('{"format": 2}')
    with pytest.raises(BackupError, match="a backup of another format: 2"):
        restore(copy, tmp_path / "new")


class Full(Disk):
    """A disk without room for one step of a restore; *failing* names it, and its path if any."""

    def __init__(self, failing: str, path: Path | None = None, removes: bool = True) -> None:
        self.failing = failing
        self.path = path
        self.removes = removes

    def _step(self, step: str, path: Path) -> None:
        if step == self.failing and self.path in (None, path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def make(self, folder: Path) -> None:
        super().make(folder.parent)
        self._step("make", folder)
        super().make(folder)

    def copy(self, source: Path, target: Path) -> str:
        self._step("copy", target)
        return super().copy(source, target)

    def sync(self, path: Path) -> None:
        self._step("sync", path)
        super().sync(path)

    def rename(self, source: Path, target: Path) -> Path:
        self._step("rename", target)
        return super().rename(source, target)

    def remove(self, folder: Path) -> None:
        if self.removes:
            super().remove(folder)
        elif folder.exists():
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))


@pytest.mark.parametrize("failing", ["make", "copy", "sync of the files", "rename", "sync"])
@pytest.mark.parametrize("place", ["there", "new", "new/below"])
def test_a_failed_restore_leaves_nothing_behind(copy, tmp_path, failing, place):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "kept").touch()
    data, before = tmp_path / place, sorted(tmp_path.rglob("*"))
    bad = {"sync of the files": data / RESTORING, "sync": data}.get(failing)
    with pytest.raises(BackupError, match=f"nothing is restored into {data}: No space left"):
        restore(copy, data, Full(failing.partition(" ")[0], bad))
    assert sorted(tmp_path.rglob("*")) == before
    assert restore(copy, data) == 0


@pytest.mark.parametrize("place", ["there", "new"])
def test_a_failed_restore_names_what_it_cannot_remove(copy, tmp_path, place):
    (tmp_path / "there").mkdir()
    data = tmp_path / place
    left = data / RESTORING if place == "there" else data
    message = f"nothing is restored into {data}: No space left on device. Remove {left}: "
    with pytest.raises(BackupError, match=re.escape(message)):
        restore(copy, data, Full("sync", removes=False))
    shutil.rmtree(left)
    assert restore(copy, data) == 0


def test_a_restore_does_not_wait_for_a_pipe(copy, tmp_path):
    (copy / LOG / MANIFEST).unlink()
    os.mkfifo(copy / LOG / MANIFEST)
    with pytest.raises(BackupError, match="is not a regular file"):
        restore(copy, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_failed_restore_keeps_files_of_others(copy, tmp_path):
    class Shared(Full):
        """A full disk on which somebody else writes as well."""

        def sync(self, path: Path) -> None:
            (tmp_path / "new" / "other").touch()
            super().sync(path)

    with pytest.raises(BackupError, match=r"No space left on device$"):
        restore(copy, tmp_path / "new", Shared("sync"))
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["other"]


def test_what_a_killed_restore_left_is_replaced_or_named(copy, tmp_path):
    partial = tmp_path / "new" / RESTORING
    partial.mkdir(parents=True)
    (partial / "half").touch()
    with pytest.raises(BackupError, match=f"Remove {partial}, and restore again"):
        restore(copy, tmp_path / "new", Full("", removes=False))
    assert restore(copy, tmp_path / "new") == 0
    assert [path.name for path in (tmp_path / "new").rglob("*")] == [LOG, MANIFEST]


@pytest.mark.parametrize(
    "tool",
    [
        "backup --to COPY.2",
        "restore --from COPY",
        "verify-store",
        "drill --work WORK",
        "admin create-account Ann",
        "admin list-accounts",
        "admin disable x",
    ],
)
def test_a_file_where_a_stores_folder_should_be_is_said(copy, tmp_path, capsys, tool):
    file, link, work = tmp_path / "file", tmp_path / "link", tmp_path / "work"
    file.touch()
    work.mkdir()
    link.symlink_to(tmp_path / "nothing")
    words = tool.replace("COPY", str(copy)).replace("WORK", str(work)).split()
    for place, message in {
        file: f"{file} is a file, where a store's folder is expected",
        file / "below": f"{file} is a file, where a folder that holds {file / 'below'} is expected",
        link: f"{link} is a link to nothing, where a store's folder is expected",
    }.items():
        assert run_tool([*words, "--store", f"embedded:{place}"]) == 2
        assert capsys.readouterr().err == f"taflhall-server: {message}\n"
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["copy", "file", "link", "work"]
    assert list(work.iterdir()) == []


def test_a_file_where_a_store_or_an_archive_is_compared_with_is_said(tmp_path, capsys):
    file, store = tmp_path / "file", f"embedded:{tmp_path / 'first'}"
    file.touch()
    assert run_tool(["admin", "create-account", "--store", store, "Ann"]) == 0
    assert run_tool(["verify-store", "--store", store, "--against", f"embedded:{file}"]) == 2
    assert f"{file} is a file, where a store's folder is expected" in capsys.readouterr().err
    assert run_tool(["verify-store", "--store", store, "--archive", str(file)]) == 2
    assert f"{file} is a file, where an archive's folder is expected" in capsys.readouterr().err
