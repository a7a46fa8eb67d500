"""A company's directory against a model: whatever is created, changed, deleted and imported, the list is the model."""

from __future__ import annotations

from hypothesis import strategies
from hypothesis.stateful import invariant, precondition, rule

from tests.server.directory.support import ENTRIES, admin, imported, names
from tests.server.stateful import BOUNDED, Modelled
from tests.support.world import COMPANY, granted, refused

NAMES = strategies.sampled_from(["Ada", "ada", "Åse", "Zoë", "O'Neill", "de la Cruz", "李", "x" * 60])
PLACES = strategies.integers(0, 30)


class DirectoryModel(Modelled):
    """`entries`: id -> last name."""

    def __init__(self) -> None:
        super().__init__()
        self.run_(self.world.company())
        self.run_(self.world.application())
        self.by = self.run_(admin(self.world))
        self.entries: dict[str, str] = {}

    def pick(self, place: int) -> str:
        return list(self.entries)[place % len(self.entries)]

    @rule(name=NAMES)
    def create(self, name: str) -> None:
        body = {"companyId": COMPANY, "lastName": name}
        made = granted(self.run_(self.world.post(ENTRIES, by=self.by, json=body)))["data"]
        assert made["id"] not in self.entries
        self.entries[made["id"]] = name

    @rule(place=PLACES, name=NAMES)
    @precondition(lambda self: self.entries)
    def update(self, place: int, name: str) -> None:
        id = self.pick(place)
        granted(self.run_(self.world.put(f"{ENTRIES}/{id}", by=self.by, json={"lastName": name})))
        self.entries[id] = name
        assert granted(self.run_(self.world.get(f"{ENTRIES}/{id}", by=self.by)))["data"]["lastName"] == name

    @rule(place=PLACES)
    @precondition(lambda self: self.entries)
    def delete(self, place: int) -> None:
        id = self.pick(place)
        granted(self.run_(self.world.delete(f"{ENTRIES}/{id}", by=self.by)))
        del self.entries[id]
        refused(self.run_(self.world.get(f"{ENTRIES}/{id}", by=self.by)), 404000)

    @rule()
    def empty(self) -> None:
        granted(self.run_(self.world.delete(f"/api/svc/directory/v1.0/companies/{COMPANY}", by=self.by)))
        self.entries = {}

    @rule(given=strategies.lists(NAMES, min_size=1, max_size=4, unique=True))
    def replace_by_a_file(self, given: list[str]) -> None:
        text = "lastName;city\n" + "".join(f"{name};Lisboa\n" for name in given)
        report = self.run_(imported(self.world, self.by, text, companyId=COMPANY))
        assert (report["created"], report["failed"]) == (len(given), 0)
        listed = granted(self.run_(self.world.get(ENTRIES, by=self.by, params={"companyId": COMPANY})))["data"]
        self.entries = {entry["id"]: entry["lastName"] for entry in listed}
        assert sorted(self.entries.values()) == sorted(given)

    @invariant()
    def the_list_is_the_model(self) -> None:
        listed = self.run_(names(self.world, self.by, limit=1000))
        assert sorted(listed) == sorted(self.entries.values())
        page = granted(self.run_(self.world.get(ENTRIES, by=self.by, params={"companyId": COMPANY, "limit": 1})))
        assert (page["total"], len(page["data"])) == (len(self.entries), min(1, len(self.entries)))


TestDirectoryModel = DirectoryModel.TestCase
TestDirectoryModel.settings = BOUNDED
