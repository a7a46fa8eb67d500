"""The corrections of a doctor: which rows are imported or saved, and how many would be lost."""

from __future__ import annotations

from collections.abc import Iterable, Set

from svc_tui.workspace.directory.doctor import Doctor


class Corrections:
    """The corrected rows and repaired lines of a doctor, since it read its file."""

    def __init__(self, doctor: Doctor) -> None:
        self._doctor = doctor
        #: Numbers of the imported rows.
        self.imported: set[int] = set()
        #: Numbers of the changed rows that are as in the saved file.
        self._saved: set[int] = set()
        #: Number of repaired lines that are neither saved nor imported.
        self._repaired = len(doctor.csv_format.corrected)
        self._read = _state_of(doctor)

    @property
    def ready(self) -> list[int]:
        """The numbers of the rows without errors that are not imported."""
        return [row.number for row in self._doctor.rows if not row.faults and row.number not in self.imported]

    @property
    def unsaved(self) -> int:
        """Number of changed rows and repaired lines that are neither saved nor imported."""
        kept = self.imported | self._saved
        return self._repaired + sum(row.changed and row.number not in kept for row in self._doctor.rows)

    @property
    def source_changed(self) -> bool:
        """Whether the file was changed or removed since it was read."""
        return _state_of(self._doctor) != self._read

    def changed(self, numbers: Iterable[int]) -> None:
        """These rows were corrected: they are neither saved nor imported any longer."""
        self.imported.difference_update(numbers)
        self._saved.difference_update(numbers)

    def all_saved(self) -> None:
        """All corrections were saved."""
        self._saved = {row.number for row in self._doctor.rows if row.changed}
        self._repaired = 0

    def now_imported(self, numbers: Set[int], *, all_lines: bool = False) -> None:
        """These rows were imported, and with `all_lines` the repaired lines too."""
        self.imported |= numbers
        if all_lines:
            self._repaired = 0


def _state_of(doctor: Doctor) -> tuple[int, int] | None:
    """Time and size of the file; None without a file."""
    try:
        found = doctor.path.stat() if doctor.path else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found else None
