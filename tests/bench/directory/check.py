"""Measures the check of directory files and prints it: `python -m tests.bench.directory.check [ROWS ...]`.

For each number of rows (10,000 and 1,000,000 when none is given) the same file in the same run: the bare csv reader,
the check as console and service do it, their ratio, and the most memory that the check used.
"""

import csv
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from svc_tui.workspace.directory.doctor import Doctor, scan
from tests.bench.figures import Figure
from tests.bench.prepared import Prepared

ROOT = Path(__file__).parents[3]
_HEADER = "firstName;lastName;companyName;workPhoneNumber0;mobilePhoneNumber0;eMail;city;country\n"
_FIRMS = ("Atlas Freight", "Boreal Paper", "Cascade Foods", "Dune Textiles", "Ember Lighting")
#: One of this many rows is wrong, as in a file that was made with care.
_WRONG = 200
REPEATS = 3


#: Twelve more columns, for files of twenty.
_MORE = "jobTitle;street;postalCode;tag4;custom1;custom2;otherPhoneNumber0;tag0;tag1;tag2;workPhoneNumber1;tag3"


def write_wide_file(path: Path, rows: int) -> None:
    """The same file with twenty columns."""
    narrow = path.with_suffix(".narrow")
    write_file(narrow, rows)
    dice = random.Random(rows)
    with narrow.open(encoding="utf-8") as file, path.open("w", encoding="utf-8") as wide:
        wide.write(f"{next(file).rstrip()};{_MORE}\n")
        for number, line in enumerate(file):
            phone, other = (f"+331{dice.randrange(10**8):08d}" for _ in range(2))
            more = f"Engineer {number % 7};{number % 90} Rue Verte;{69000 + number % 900};Rhone;A{number % 50};"
            wide.write(f"{line.rstrip()};{more}B{number % 9};{phone};vip;north;team{number % 5};{other};new\n")
    narrow.unlink()


def write_file(path: Path, rows: int) -> None:
    """A directory file as an office exports it; the same for each number of rows."""
    dice = random.Random(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(_HEADER)
        for number in range(rows):
            work, mobile = dice.randrange(10**8), dice.randrange(10**8)
            country = "FR" if number % _WRONG == _WRONG - 1 else "FRA"
            file.write(
                f"First{number % 997};Last{number};{_FIRMS[number % 5]};01{work:08d};+336{mobile:08d};"
                f"first.last{number}@firm{number % 97}.example;Lyon;{country}\n"
            )


def read_bare(path: Path) -> None:
    """What the csv module takes for the same file."""
    with path.open(encoding="utf-8", newline="") as file:
        for _ in csv.reader(file, delimiter=";"):
            pass


def check_file(path: Path) -> Doctor:
    """The check."""
    return scan(path, country="FRA")


def seconds(work: Callable[[Path], object], path: Path, repeats: int) -> float:
    """The best processor time of some runs: what others do on this machine counts little."""
    found = []
    for _ in range(repeats):
        begin = time.process_time()
        work(path)
        found.append(time.process_time() - begin)
    return min(found)


#: Prints the most memory of a process that checks a file and keeps nothing of it, in kilobytes.
_ALONE = """
import resource, sys
sys.path.insert(0, {root!r})
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.reading import rows, format_of
with open(sys.argv[1], "rb") as file:
    columns, _, found = rows(file, format_of(file))
    checker = Checker(columns, False, "FRA")
    print(sum(bool(checker.check(row.cells)) for row in found), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def most_memory(path: Path) -> tuple[int, int]:
    """Wrong rows, and the most memory in kilobytes of a process that only checks a file."""
    program = _ALONE.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    wrong, memory = done.stdout.split()
    return int(wrong), int(memory)


def correct(path: Path) -> None:
    """Check a file and write it with the suggested corrections."""
    doctor = check_file(path)
    doctor.apply_suggestions()
    doctor.save(path.with_suffix(".corrected"))


def measure(_: Prepared) -> Iterator[Figure]:
    """100,000 rows of 20 columns over the bare csv reader, and what memory a file ten times as long takes more."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short.csv", Path(folder) / "long.csv"
        write_wide_file(short, 10_000)
        write_wide_file(long, 100_000)
        bare = seconds(read_bare, long, REPEATS)
        reference = f"csv.reader ({bare * 1e3:.0f} ms)"
        for name, work, target in (("check", check_file, 60.0), ("check and write corrected", correct, 70.0)):
            ratio = seconds(work, long, REPEATS) / bare
            yield Figure(f"directory file 100,000 x 20: {name}", ratio, "x", target, reference, ratio)
        more = (most_memory(long)[1] - most_memory(short)[1]) / 1024
        yield Figure("the same: memory over 10,000 x 20", more, "MB", 4)


def main() -> None:
    """Measure and print."""
    wanted = [int(word.replace(",", "")) for word in sys.argv[1:]] or [10_000, 1_000_000]
    print(f"{'rows':>12}{'bare reader':>16}{'check':>16}{'ratio':>8}{'most memory':>14}{'wrong':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for rows in wanted:
            path = Path(folder) / f"{rows}.csv"
            write_file(path, rows)
            repeats = REPEATS if rows <= 100_000 else 1
            bare, check = seconds(read_bare, path, repeats), seconds(check_file, path, repeats)
            wrong, memory = most_memory(path)
            rates = f"{rows / bare:12,.0f}/s {rows / check:13,.0f}/s"
            print(f"{rows:12,} {rates}{check / bare:9.1f}{memory / 1024:11.1f} MB{wrong:10,}")


if __name__ == "__main__":
    main()
