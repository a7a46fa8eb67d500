"""The file with the compiled code of a start: it is used as long as nothing has changed."""

from __future__ import annotations

import fcntl
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from types import ModuleType

import pytest

from svc_tui import code_cache
from svc_tui.code_cache import CodeCache
from svc_tui.commands import start

NAMES = ("kept_sample", "kept_sample.part")


class Sample:
    """A package of two modules, and the file in which a start keeps them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "kept_sample"
        self.folder.mkdir()
        (self.folder / "__init__.py").write_text("from kept_sample.part import VALUE\n")
        self.write("first")
        self.file = folder / "compiled" / "sample.start"
        self.file.parent.mkdir()

    def write(self, value: str, more: str = "") -> None:
        """Change the source of a module; the length differs for other lengths of the value."""
        (self.folder / "part.py").write_text(f"VALUE = {value!r}\n{more}\n")

    def starts(self, *, keeps: bool = True) -> ModuleType:
        """Import the package as a new process does."""
        for name in NAMES:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        kept = CodeCache(str(self.file))
        kept.use()
        try:
            package = importlib.import_module("kept_sample")
            loaded = kept.finish()
            if keeps:
                kept.keep(loaded)
        finally:
            kept.finish()
            if kept in sys.meta_path:
                sys.meta_path.remove(kept)
        return package


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sample]:
    """The package can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    yield Sample(tmp_path)
    for name in NAMES:
        sys.modules.pop(name, None)


def from_file(module: ModuleType) -> bool:
    """Whether a module was loaded from the file of the start."""
    return type(module.__loader__).__name__ == "_Loader"


def test_the_second_start_loads_from_the_file_what_the_first_one_loaded(sample: Sample) -> None:
    first = sample.starts()
    second = sample.starts()
    assert (from_file(first), from_file(second), from_file(sys.modules["kept_sample.part"])) == (False, True, True)
    for name in ("__file__", "__path__", "__cached__", "__package__", "VALUE"):
        assert getattr(first, name) == getattr(second, name)
    written = sample.file.stat().st_mtime_ns
    sample.starts()
    assert sample.file.stat().st_mtime_ns == written


def test_a_changed_source_is_loaded_and_kept(sample: Sample) -> None:
    sample.starts()
    sample.write("changed")
    changed = sample.starts()
    assert changed.VALUE == "changed"
    assert from_file(changed)
    assert not from_file(sys.modules["kept_sample.part"])
    assert sample.starts().VALUE == "changed"
    assert from_file(sys.modules["kept_sample.part"])


DAMAGES: tuple[Callable[[bytes], bytes], ...] = (
    lambda content: b"",
    lambda content: content[:-40],
    lambda content: bytes(200) + content[200:],
    lambda content: b"x" * 99,
    # In the index: the source of a module, which is no path any longer, and the kind of an entry.
    lambda content: content.replace(b"/kept_sample/part.py", b"/kept_sample\0part.py"),
    lambda content: content[:-30] + bytes(1) + content[-29:],
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_used_and_no_error(sample: Sample, damage: Callable[[bytes], bytes]) -> None:
    sample.starts()
    sample.file.write_bytes(damage(sample.file.read_bytes()))
    assert sample.starts().VALUE == "first"
    assert from_file(sample.starts())


def test_another_path_has_another_file(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    sample.starts()
    monkeypatch.setattr(sys, "path", [*sys.path, "/another"])
    assert not from_file(sample.starts())
    assert from_file(sample.starts())


def test_a_package_that_comes_before_the_kept_one_is_loaded(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path / "before"
    before.mkdir()
    monkeypatch.setattr(sys, "path", ["", str(before), *sys.path[1:]])
    sample.starts()
    assert from_file(sample.starts())
    (before / "kept_sample.py").write_text("VALUE = 'newer'\n")
    # A change within the resolution of the times of the file system.
    os.utime(before, ns=(0, 0))
    assert sample.starts().VALUE == "newer"


def test_a_module_in_the_current_folder_is_not_kept_for_starts_in_other_folders(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path[2:]])
    sample.starts()
    assert not from_file(sample.starts())


def test_the_second_start_compiles_no_expression_again(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    sample.write("first", "import re; PATTERN = re.compile(r'kept(?P<number>[0-9]+)')")
    sample.starts()
    re.purge()
    with monkeypatch.context() as patched:
        patched.setattr(_parser, "parse", None)
        sample.starts()
    assert sys.modules["kept_sample.part"].PATTERN.sub(r"\g<number>", "kept12") == "12"


def test_what_is_loaded_after_the_start_is_not_kept(sample: Sample) -> None:
    kept = CodeCache(str(sample.file))
    kept.use()
    kept.finish()
    kept.keep(())
    importlib.import_module("kept_sample")
    kept.keep(NAMES)
    assert not sample.file.exists()


def test_nothing_is_written_where_python_writes_no_compiled_code(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    sample.starts()
    assert not sample.file.exists()


def test_a_folder_that_cannot_be_written_to_is_no_error(sample: Sample) -> None:
    sample.file = sample.file / "missing" / "sample.start"
    assert sample.starts().VALUE == "first"


def test_the_leftover_file_of_a_killed_start_is_replaced(sample: Sample) -> None:
    left = Path(f"{sample.file}.new")
    left.write_bytes(b"the beginning of the file")
    sample.starts()
    assert [each.name for each in sample.file.parent.iterdir()] == [sample.file.name]
    assert from_file(sample.starts())


def test_two_starts_at_once_write_one_file(sample: Sample) -> None:
    with Path(f"{sample.file}.new").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        sample.starts()
    assert not sample.file.exists()
    assert not from_file(sample.starts())
    assert from_file(sample.starts())


def test_a_file_that_could_not_be_written_completely_does_not_stay(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: bytes) -> bytes:
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(code_cache, "source_hash", full)
        sample.starts()
    assert not [*sample.file.parent.iterdir()]
    sample.starts()
    assert from_file(sample.starts())


def test_a_console_uses_the_file_before_it_loads_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    monkeypatch.setattr(code_cache.START, "use", lambda: steps.append("file"))
    monkeypatch.setattr("svc_tui.commands.console.open_console", lambda *_: steps.append("console") or 0)
    for words in ([], ["open", "applications"]):
        steps.clear()
        start.run(words)
        assert steps == ["file", "console"]
