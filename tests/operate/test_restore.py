"""What a restore says of a damaged backup or a wrong place, and what it leaves there: nothing."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from taflhall_service.operate import command
from taflhall_service.operate import restore as restoring
from taflhall_service.operate.backup import MANIFEST
from taflhall_service.operate.command import run_tool
from taflhall_service.operate.folders import BackupError, sync
from taflhall_service.operate.restore import restore
from taflhall_service.store.embedded import LOG, RESTORING

DIGEST = hashlib.sha256(b"").hexdigest()
GOOD = {"format": 1, "files": {MANIFEST: DIGEST}}


@pytest.fixture(autouse=True)
def logs_as_they_are(monkeypatch):
    """The tools configure the logs of their process, which is here that of all tests."""
    monkeypatch.setattr(command, "configure_logs", lambda level: None)


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
    ("written", "said"),
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
    copy, tmp_path, capsys, written, said
):
    (copy / "backup.json").write_text(written)
    tool = ["restore", "--from", str(copy), "--store", f"embedded:{tmp_path / 'new'}"]
    assert run_tool(tool) == 2
    told = capsys.readouterr().err
    assert f"{copy / 'backup.json'} is damaged: {said}. " in told
    assert "whose 'format' is 1 and whose 'files' give each file's name and SHA-256" in told
    assert not (tmp_path / "new").exists()


def test_a_manifest_of_another_form_is_no_damage(copy, tmp_path):
    (copy / "backup.json").write_text('{"format": 2}')
    with pytest.raises(BackupError, match="a backup of another format: 2"):
        restore(copy, tmp_path / "new")


def full(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("failing", ["mkdir", "copy", "sync of the files", "rename", "sync"])
@pytest.mark.parametrize("place", ["there", "new", "new/below"])
def test_whatever_fails_nothing_of_a_restore_is_left(copy, tmp_path, monkeypatch, failing, place):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "kept").touch()
    data, before = tmp_path / place, sorted(tmp_path.rglob("*"))
    mkdir = Path.mkdir

    if failing == "mkdir":
        monkeypatch.setattr(
            Path, "mkdir", lambda p, *a, **k: full() if p.name == RESTORING else mkdir(p, *a, **k)
        )
    elif failing == "copy":
        monkeypatch.setattr(restoring, "copy", full)
    elif failing == "rename":
        monkeypatch.setattr(Path, "rename", full)
    else:
        bad = data if failing == "sync" else data / RESTORING
        monkeypatch.setattr(restoring, "sync", lambda path: full() if path == bad else sync(path))
    with pytest.raises(BackupError, match=f"nothing is restored into {data}: No space left"):
        restore(copy, data)
    monkeypatch.undo()
    assert sorted(tmp_path.rglob("*")) == before
    assert restore(copy, data) == 0


@pytest.mark.parametrize("place", ["there", "new"])
def test_what_a_failed_restore_cannot_remove_it_names(copy, tmp_path, monkeypatch, capsys, place):
    (tmp_path / "there").mkdir()
    data = tmp_path / place
    left = data / RESTORING if place == "there" else data
    monkeypatch.setattr(restoring, "sync", full)
    monkeypatch.setattr(shutil, "rmtree", lambda path, ignore_errors=False: None)
    tool = ["restore", "--from", str(copy), "--store", f"embedded:{data}"]
    assert run_tool(tool) == 2
    told = capsys.readouterr().err
    assert f"nothing is restored into {data}: No space left on device. Remove {left}: " in told
    monkeypatch.undo()
    shutil.rmtree(left)
    assert restore(copy, data) == 0


def test_what_is_no_file_is_not_waited_for(copy, tmp_path):
    (copy / LOG / MANIFEST).unlink()
    os.mkfifo(copy / LOG / MANIFEST)
    with pytest.raises(BackupError, match="is not a regular file"):
        restore(copy, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_somebody_else_put_there_stays(copy, tmp_path, monkeypatch):
    def disturbed(_: Path) -> None:
        (tmp_path / "new" / "other").touch()
        full()

    monkeypatch.setattr(restoring, "sync", disturbed)
    with pytest.raises(BackupError, match=r"No space left on device$"):
        restore(copy, tmp_path / "new")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["other"]


def test_what_a_killed_restore_left_is_replaced_or_named(copy, tmp_path, monkeypatch):
    partial = tmp_path / "new" / RESTORING
    partial.mkdir(parents=True)
    (partial / "half").touch()
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", full)
        with pytest.raises(BackupError, match=f"Remove {partial}, and restore again"):
            restore(copy, tmp_path / "new")
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
    for place, said in {
        file: f"{file} is a file, where a store's folder is expected",
        file / "below": f"{file} is a file, where a folder that holds {file / 'below'} is expected",
        link: f"{link} is a link to nothing, where a store's folder is expected",
    }.items():
        assert run_tool([*words, "--store", f"embedded:{place}"]) == 2
        assert capsys.readouterr().err == f"taflhall-server: {said}\n"
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
