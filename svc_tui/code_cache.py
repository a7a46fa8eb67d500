"""The compiled code of the modules that a start of the console loads, kept in one file beside other compiled code.

Python looks for each module in several folders and opens a file for it. Five hundred modules of one file take 40 ms
less. As with other compiled code, a module whose source has changed is loaded from its source, and the file is
written again. Without write access to the folder, or with PYTHONDONTWRITEBYTECODE, modules are loaded as usual.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import cache_from_source, source_hash
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, BinaryIO, NamedTuple

from svc_tui.compile_cache import CompileCache, Table

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: The last bytes of the file: where the index begins, before them, and its checksum.
_NUMBER, _TAIL = 8, 16
#: What reading a file can raise that is missing or damaged.
_UNREADABLE = (OSError, EOFError, ValueError, TypeError, MemoryError, OverflowError)


class _Entry(NamedTuple):
    """A module in the file: its source and the state of it, its own compiled file, and where its code is."""

    source: str
    state: tuple[int, int, int]
    compiled: str | None
    is_package: bool
    begin: int
    length: int


class CodeCache:
    """The finder of modules in a file."""

    def __init__(self, file: str) -> None:
        self._file = file
        #: The modules that were loaded before; None while the file is not used.
        self._loaded_before: frozenset[str] | None = None
        self._is_kept = False
        self._made_for: tuple[str, tuple[tuple[str, int], ...]] = ("", ())
        self._descriptor = -1
        self._entries: dict[str, _Entry] = {}
        self._compiled = CompileCache()

    def use(self) -> None:
        """Load modules from the file from now on, if there is one for this Python and its path."""
        if self._loaded_before is not None:
            return
        self._loaded_before, self._made_for = frozenset(sys.modules), _made_for()
        self._compiled.use(self._open())

    def _open(self) -> Table:
        """Use the modules in the file, and return its table of what modules compile."""
        try:
            self._descriptor = os.open(self._file, os.O_RDONLY)
            end = os.fstat(self._descriptor).st_size - _TAIL
            tail = os.pread(self._descriptor, _TAIL, end)
            begin = int.from_bytes(tail[:_NUMBER], "little")
            index = os.pread(self._descriptor, end - begin, begin)
            if source_hash(index) != tail[_NUMBER:]:
                return {}, {}
            table: Table
            made_for, entries, table = marshal.loads(index)
            if made_for != self._made_for:
                return {}, {}
        except _UNREADABLE:
            return {}, {}
        self._entries = {name: _Entry(*entry) for name, entry in entries.items()}
        sys.meta_path.insert(0, self)
        return table

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is, if it is in the file as its source is now."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        if _state(entry.source) != entry.state:
            del self._entries[name]
            return None
        spec = ModuleSpec(name, _Loader(name, entry.source, self), origin=entry.source, is_package=entry.is_package)
        spec.has_location, spec.cached = True, entry.compiled
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(entry.source.rpartition(os.sep)[0])
        return spec

    def code(self, name: str) -> CodeType | None:
        """The code of a module; None, and the module is kept again, when the file is damaged."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        try:
            code = marshal.loads(self._read(entry))
        except _UNREADABLE:
            code = None
        if isinstance(code, CodeType):
            return code
        del self._entries[name]
        return None

    def _read(self, entry: _Entry) -> bytes:
        return os.pread(self._descriptor, entry.length, entry.begin)

    def finish(self) -> tuple[str, ...]:
        """The modules that the start has loaded; what is compiled from now on is not part of it."""
        self._compiled.stop()
        return tuple(sys.modules)

    def keep(self, names: Iterable[str]) -> None:
        """Write the file again if one of these modules was not loaded from it; what else is in it stays.

        Only the first call does: later ones belong to no start.
        """
        before = self._loaded_before
        if before is None or self._is_kept or sys.dont_write_bytecode:
            return
        self._is_kept = True
        missing = [
            name
            for name in names
            if name not in before
            and name not in self._entries
            and isinstance(_loader(name), SourceFileLoader)
            and not _is_beside_program(name)
        ]
        if missing:
            # Without it, another start can write it.
            with suppress(OSError, ImportError):
                self._write([*self._entries, *missing])
        self._compiled = CompileCache()

    def _write(self, names: Iterable[str]) -> None:
        # One name and one lock: what a start left behind that was killed while it wrote is written over.
        whole = Path(f"{self._file}.new")
        with whole.open("ab") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(file.fileno()), whole.stat()):
                return  # Another start has just finished it.
            try:
                file.seek(0)
                file.truncate()
                entries = {name: self._write_module(name, file) for name in names}
                begin = file.tell()
                index = marshal.dumps((self._made_for, entries, self._compiled.table()))
                file.write(index + begin.to_bytes(_NUMBER, "little") + source_hash(index))
                file.flush()
                whole.replace(self._file)
            except BaseException:
                whole.unlink(missing_ok=True)
                raise

    def _write_module(self, name: str, file: BinaryIO) -> tuple[Any, ...]:
        begin = file.tell()
        if entry := self._entries.get(name):
            return (*entry[:4], begin, file.write(self._read(entry)))
        loader = _loader(name)
        state, compiled = _state(loader.path), cache_from_source(loader.path)
        code = marshal.dumps(loader.get_code(name))
        return loader.path, state, compiled, loader.is_package(name), begin, file.write(code)


class _Loader(SourceFileLoader):
    """Loads one module from the file; from its source when the file is damaged."""

    def __init__(self, name: str, source: str, kept: CodeCache) -> None:
        super().__init__(name, source)
        self._kept = kept

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module."""
        return self._kept.code(fullname) or SourceFileLoader(fullname, self.path).get_code(fullname)


def _loader(name: str) -> Any:
    """What loaded a module under its own name; None without its own file."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return spec.loader if spec is not None and spec.name == name else None


def _state(source: str) -> tuple[int, int, int]:
    """The times of the last changes of a file in nanoseconds, and its size; zeros without the file."""
    try:
        found = os.stat(source)  # noqa: PTH116 - of five hundred sources
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size


def _made_for() -> tuple[str, tuple[tuple[str, int], ...]]:
    """The Python that can load a file, and the folders in which it looks for modules after that of the program.

    The time of a folder changes with each package in it: a new package can come before the kept code.
    """
    return sys.version, tuple((folder, _state(folder)[0]) for folder in sys.path[1:])


def _is_beside_program(name: str) -> bool:
    """Whether a module was found in the first folder, the current one with `python -m`, which is not that of svc-tui.

    A start in another folder would not find it.
    """
    loader: SourceFileLoader = _loader(name)
    first = Path(sys.path[0]).absolute()
    if first == Path(__file__).absolute().parents[1]:
        return False
    return first == Path(loader.path).absolute().parents[name.count(".") + loader.is_package(name)]


#: What the console is started with.
START = CodeCache(f"{cache_from_source(__file__).removesuffix('.pyc')}.start")
