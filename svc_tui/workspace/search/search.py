"""The search over everything: cached records immediately, then every area in parallel, within a budget of requests.

Filters of the service come first. Lists in the path of a company or CloudPBX are asked for a bounded number of these,
the likely ones first; what was not searched is in `gaps`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.texts import bare
from svc_tui.language import _
from svc_tui.workspace.core.events import Listeners
from svc_tui.workspace.core.service import Obstacle, ReadError, Service
from svc_tui.workspace.core.tasks import start_task
from svc_tui.workspace.kinds.registry import KINDS, SEARCH_RULES
from svc_tui.workspace.kinds.search_rule import FollowUp, SearchRule
from svc_tui.workspace.search.comparison import holds, owns, parts_of
from svc_tui.workspace.search.lookup import (
    MOST_BY_ITSELF,
    MOST_HITS,
    MOST_REQUESTS,
    Budget,
    Lookup,
    LookupResult,
    named,
)
from svc_tui.workspace.search.ranking import SearchGap, SearchResult, rank
from svc_tui.workspace.search.recognition import meanings
from svc_tui.workspace.search.scopes import Scopes, key_of

#: Found records of one kind whose own records are searched too; with more, none are.
MOST_FOLLOWED = 3
#: The longest chain: a user, the company, its CloudPBX, the subscriber, the device.
_ROUNDS = 4
_OBSTACLES: Mapping[Obstacle, str] = {
    "connecting": _("Not connected yet: only cached records were searched."),
    "offline": _("Offline: only cached records were searched."),
    "no login": _("Not logged in: only cached records were searched."),
}


class Search:
    """One text, searched until `close`. `near` are the ids of the records around the user: they are asked first.

    With `companies`, only these and what belongs to them is searched; with `kinds`, only records of these.
    """

    def __init__(
        self,
        service: Service,
        text: str,
        near: Mapping[str, str] | None = None,
        companies: Sequence[str] | None = None,
        kinds: Sequence[str] = (),
    ) -> None:
        self._service, self._kinds = service, kinds
        self._budget = Budget(service)
        self.text = text
        self.meanings = meanings(bare(text))
        self.hits: dict[tuple[str, str], SearchResult] = {}
        self._gaps: dict[tuple[str, str], SearchGap] = {}
        #: Why the service was not asked; empty when it was.
        self.error_message = ""
        self.finished = False
        country = (service.user or {}).get("country")
        self._country = country if isinstance(country, str) else None
        self._scopes = Scopes(self._budget, near or {}, service.caller, companies)
        self._followed: set[tuple[str, ...]] = set()
        self._listeners: Listeners[None] = Listeners()
        self.changed = self._listeners.add
        self._task: asyncio.Task[None] | None = None
        self._persists = False
        #: Whether everything that is left is being asked.
        self.asks_rest = False

    @property
    def requests(self) -> int:
        """How many requests were sent."""
        return self._budget.requests

    @property
    def gaps(self) -> list[SearchGap]:
        """Gaps of the search, in the order of the rules."""
        spent = SearchGap("", _("stopped after {requests} requests").format(requests=self.requests))
        return [*self._gaps.values(), *([spent] if self._budget.spent else ())]

    @property
    def can_continue(self) -> bool:
        """Whether companies or CloudPBXs are left that can be asked."""
        return self.finished and not self.error_message and (self._scopes.more or self._budget.spent)

    def name_of(self, kind: str, id: str) -> str:
        """The name of a company or CloudPBX that is known; empty otherwise."""
        return self._scopes.name_of(kind, id)

    def start(self, pause: float = 0) -> None:
        """Search the cache immediately, and the service after a pause in seconds; call `close` to stop."""
        self._begin(self._run(pause))

    def rest(self) -> None:
        """Ask all companies and CloudPBXs that are left, a few at a time, until `stop`."""
        self._begin(self._ask_rest())

    def stop(self) -> bool:
        """Stop `rest`: what was found stays, and what was not searched is named. False when it is not running."""
        if not self.asks_rest or self._task is None:
            return False
        self._task.cancel()
        return True

    @property
    def progress(self) -> tuple[int, int]:
        """How many companies or CloudPBXs were asked, and how many there are, for the kind with most of them."""
        gaps = [gap for gap in self._gaps.values() if gap.of and gap.of != gap.kind]
        return max(((gap.asked, gap.total) for gap in gaps), key=lambda each: each[1], default=(0, 0))

    def persist(self) -> None:
        """Ask the next CloudPBXs without `more`, within MOST_BY_ITSELF, until the owner of a whole number is found."""
        self._persists = True
        if self.finished:
            self._begin(self._go_on())

    def close(self) -> None:
        """Stop: requests that are no longer wanted are cancelled."""
        self._listeners.callbacks.clear()
        if self._task is not None:
            self._task.cancel()

    async def wait(self) -> None:
        """Wait until the search is finished."""
        if self._task is not None:
            await self._task

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self.finished = False
        self._task = start_task(self._finish(work))

    async def _finish(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            # The error is reported; what was found stays, and nothing more is searched.
            self._end()
            raise
        self._end()

    def _end(self) -> None:
        self.finished = True
        self._listeners.notify(None)

    async def _run(self, pause: float) -> None:
        if not self.meanings:
            return
        obstacle = self._service.obstacle()
        if pause or obstacle is not None:
            await self._from_cache()
            await asyncio.sleep(pause)
        if obstacle is not None:
            self.error_message = _OBSTACLES[obstacle]
            return
        rules = list(self._allowed())
        scoped = [rule for rule in rules if rule.within and self._suits(rule)]
        async with asyncio.TaskGroup() as group:
            if not pause:
                group.create_task(self._from_cache())
            for rule in rules:
                if not rule.within:
                    group.create_task(self._unscoped(rule))
            for key in {key_of(rule) for rule in scoped if not rule.nearest}:
                group.create_task(self._guarded(key[0], self._scopes.load(*key)))
        await self._follow(rules, rounds=2)
        self._scopes.add(self.hits.values())
        await self._within(scoped)
        await self._follow(rules, rounds=_ROUNDS)
        if self._persists:
            await self._go_on()

    async def _go_on(self) -> None:
        """Ask the next CloudPBXs, one slice after the other, while the owner of the typed text is not known."""
        while self._scopes.more and not self.error_message and self.requests + MOST_REQUESTS <= MOST_BY_ITSELF:
            owners = [rule for rule in self._allowed() if rule.within and owns(rule, self.meanings, self._country)]
            kinds = {rule.kind for rule in owners}
            if not owners or any(hit.kind in kinds and not hit.cached for hit in self.hits.values()):
                return
            before = self.requests
            self._budget.extend()
            await self._continue(owners)
            if self.requests == before:
                return

    async def _ask_rest(self) -> None:
        self.asks_rest = True
        try:
            while (self._scopes.more or self._budget.spent) and not self.error_message:
                before = self.requests
                self._budget.extend()
                await self._continue()
                self._listeners.notify(None)
                if self.requests == before:
                    return
        except asyncio.CancelledError:
            # Only `stop` and `close` cancel it; nothing waits for its result.
            self._note_gaps([rule for rule in self._allowed() if rule.within])
        finally:
            self.asks_rest = False

    async def _continue(self, scoped: list[SearchRule] | None = None) -> None:
        rules = list(self._allowed())
        if scoped is None:
            scoped = [rule for rule in rules if rule.within and self._suits(rule)]
        async with asyncio.TaskGroup() as group:
            for key in {key_of(rule) for rule in scoped if not rule.nearest}:
                group.create_task(self._guarded(key[0], self._scopes.load(*key)))
        await self._within(scoped)
        await self._follow(rules, rounds=_ROUNDS)

    # Who is asked

    def _suits(self, rule: SearchRule) -> bool:
        """Whether the text can be found there directly."""
        by_id = "id" in self.meanings and self._has_id(rule)
        listed = (rule.asks.keys() | rule.sorted_by.keys()) & self.meanings.keys()
        # The whole list is read where it has no pages and no filter.
        compared = (
            not rule.asks
            and not rule.sorted_by
            and (rule.read or bool(rule.within))
            and rule.holds.keys() & self.meanings.keys()
        )
        return by_id or bool(listed) or bool(compared)

    def _has_id(self, rule: SearchRule) -> bool:
        """Whether one of these records can be read by its id."""
        kind = KINDS[rule.kind]
        return bool(kind.parameter) and kind.get != kind.list and bool(self._service.decide(kind.get))

    def _allowed(self) -> Iterator[SearchRule]:
        for rule in SEARCH_RULES:
            suits = self._suits(rule)
            if (not suits and not rule.follows) or (self._kinds and rule.kind not in self._kinds):
                continue
            if rule.instead and self._service.decide(KINDS[rule.instead].list):
                continue
            decision = self._service.decide(KINDS[rule.kind].list)
            if decision:
                self._gaps.pop((rule.instead, ""), None)
                yield rule
            elif suits and not rule.instead:
                self._note(SearchGap(rule.kind, decision.reason))

    # Cached records

    async def _from_cache(self) -> None:
        rules = {rule.kind: rule for rule in SEARCH_RULES}
        count: dict[str, int] = {}
        async for records in self._service.cache.search(rules, parts_of(self.meanings)):
            for one in records:
                known = (one.kind, one.id) in self.hits
                if (
                    not known
                    and count.get(one.kind, 0) < MOST_HITS
                    and holds(rules[one.kind], self.meanings, one.record)
                ):
                    count[one.kind] = count.get(one.kind, 0) + 1
                    within = rules[one.kind].within
                    found = one.path.get(KINDS[within].parameter, "") if within else ""
                    if not self._scopes.hold(one.kind, one.id, one.record, {within: found}):
                        continue
                    self.hits[one.kind, one.id] = SearchResult(
                        one.kind,
                        one.id,
                        one.record,
                        rank(rules[one.kind], self.meanings, one.record),
                        {within: found} if found else {},
                        cached=True,
                    )
            self._listeners.notify(None)

    # The service

    async def _unscoped(self, rule: SearchRule) -> None:
        lookups = [Lookup(self._budget, rule, {}, query, self._country) for query in rule.queries]
        lookup = lookups[0]
        async with asyncio.TaskGroup() as group:
            for meaning in (rule.asks.keys() & self.meanings.keys()) - {"word"}:
                for each in lookups:
                    group.create_task(self._take(rule, {}, each.filtered(meaning, self.meanings[meaning])))
            if rule.read and rule.holds.keys() & self.meanings.keys():
                group.create_task(self._take(rule, {}, lookup.compared(self.meanings)))
            if "id" in self.meanings and self._has_id(rule):
                group.create_task(self._take(rule, {}, lookup.by_id(self.meanings["id"])))
        found = any(hit.kind == rule.kind for hit in self.hits.values())
        if "word" in rule.asks and "word" in self.meanings and not found:
            await self._take(rule, {}, lookup.filtered("word", self.meanings["word"]))

    async def _within(self, rules: list[SearchRule]) -> None:
        """Ask the lists of the likely companies and CloudPBXs."""
        async with asyncio.TaskGroup() as group:
            for rule in rules:
                group.create_task(self._scoped(rule))
        self._note_gaps(rules)

    def _note_gaps(self, rules: list[SearchRule]) -> None:
        for rule in rules:
            asked, total = self._scopes.counts(rule)
            if asked < total:
                self._note(SearchGap(rule.kind, of=rule.within, asked=asked, total=total))
            else:
                self._gaps.pop((rule.kind, rule.within), None)

    async def _scoped(self, rule: SearchRule) -> None:
        scopes = self._scopes.next_for(rule)
        try:
            await self._ask(rule, scopes)
        except asyncio.CancelledError:
            self._scopes.give_back(rule, scopes)
            raise

    async def _ask(self, rule: SearchRule, scopes: Mapping[str, RecordDict]) -> None:
        parameter = KINDS[rule.within].parameter
        async with asyncio.TaskGroup() as group:
            if rule.together and scopes:
                lookup = Lookup(self._budget, rule, {}, {rule.together: ",".join(scopes)}, self._country)
                for meaning in rule.asks.keys() & self.meanings.keys():
                    group.create_task(self._take(rule, {}, lookup.filtered(meaning, self.meanings[meaning])))
                return
            # Some companies have no such records at all: their refusals say nothing while others answer.
            refusals: list[ReadError] = []
            tasks = []
            for id, row in scopes.items():
                if not self._reaches(rule, id if rule.within == "companies" else named(row, "companyId")):
                    continue
                country = named(row, "country") or self._country
                lookup = Lookup(self._budget, rule, {parameter: id}, {}, country)
                for work in self._lookups(rule, lookup):
                    tasks.append(group.create_task(self._take(rule, {rule.within: id}, work, refusals)))
        if tasks and len(refusals) == len(tasks):
            self._failed(rule.kind, refusals[0])

    def _reaches(self, rule: SearchRule, company: str) -> bool:
        """Whether the role can read these records of a company: some roles read only those of their own."""
        subject = self._scopes.subject(company)
        return subject is None or bool(self._service.decide(KINDS[rule.kind].list, subject))

    def _lookups(self, rule: SearchRule, lookup: Lookup) -> Iterator[Coroutine[Any, Any, LookupResult]]:
        asked = rule.asks.keys() & self.meanings.keys()
        for meaning in asked:
            yield lookup.filtered(meaning, self.meanings[meaning])
        if "id" in self.meanings and self._has_id(rule):
            yield lookup.by_id(self.meanings["id"])
        elif not asked and rule.holds.keys() & self.meanings.keys():
            yield lookup.compared(self.meanings)

    async def _follow(self, rules: list[SearchRule], rounds: int) -> None:
        """Search for the records of found records, while there are few."""
        for __ in range(rounds):
            jobs = [job for rule in rules for follow in rule.follows for job in self._jobs(rule, follow)]
            if not jobs:
                return
            async with asyncio.TaskGroup() as group:
                for job in jobs:
                    group.create_task(job)

    def _jobs(self, rule: SearchRule, follow: FollowUp) -> Iterator[Coroutine[Any, Any, None]]:
        found = [hit for hit in self.hits.values() if hit.kind == follow.kind]
        for hit in found if len(found) <= MOST_FOLLOWED else ():
            value = named(hit.record, follow.takes) if follow.takes else hit.id
            for above in self._paths(rule, follow, hit) if value else ():
                key = (rule.kind, follow.kind, value, *above.values())
                if key not in self._followed:
                    self._followed.add(key)
                    yield self._take(rule, above, self._of(rule, follow, hit, value, above))

    def _paths(self, rule: SearchRule, follow: FollowUp, hit: SearchResult) -> list[dict[str, str]]:
        """The records in whose path the list of the found record's own records can be."""
        if not rule.within:
            return [{}]
        if rule.within == follow.kind:
            return [{rule.within: hit.id}]
        own = hit.above.get(rule.within) or named(hit.record, KINDS[rule.within].parameter)
        company = named(hit.record, "companyId")
        near = [own] if own else self._scopes.of_company(rule.within, company, self.hits.values())
        return [{rule.within: id} for id in near]

    def _of(
        self, rule: SearchRule, follow: FollowUp, hit: SearchResult, value: str, above: Mapping[str, str]
    ) -> Coroutine[Any, Any, LookupResult]:
        path = {KINDS[kind].parameter: id for kind, id in above.items()}
        lookup = Lookup(self._budget, rule, path, {}, self._country)
        if follow.takes and not follow.parameter:
            return lookup.by_id(value)
        same = hit.id if follow.same == "id" else named(hit.record, follow.same)
        query = {follow.parameter: value} if follow.parameter else {}
        return lookup.listed(query, lambda row: not follow.field or row.get(follow.field) == same, follow.most)

    # Results

    async def _guarded(self, kind: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ReadError as error:
            self._failed(kind, error)

    async def _take(
        self,
        rule: SearchRule,
        above: Mapping[str, str],
        work: Coroutine[Any, Any, LookupResult],
        refusals: list[ReadError] | None = None,
    ) -> None:
        """Show what a lookup finds, or why it found nothing; with `refusals`, refusals are collected there."""
        try:
            found = await work
        except ReadError as error:
            if refusals is None or error.offline or error.missing:
                self._failed(rule.kind, error)
            else:
                refusals.append(error)
            return
        for row in found.rows[:MOST_HITS]:
            id = KINDS[rule.kind].id_of(row)
            old = self.hits.get((rule.kind, id))
            record = {**(old.record if old else {}), **row}
            if not self._scopes.hold(rule.kind, id, record, above):
                continue
            self.hits[rule.kind, id] = SearchResult(rule.kind, id, record, rank(rule, self.meanings, record), above)
        if found.total is not None and found.total > len(found.rows):
            self._note(SearchGap(rule.kind, of=rule.kind, asked=len(found.rows), total=found.total))
        elif found.compared < found.rows_in_all:
            self._note(SearchGap(rule.kind, of=rule.kind, asked=found.compared, total=found.rows_in_all))
        self._listeners.notify(None)

    def _failed(self, kind: str, error: ReadError) -> None:
        if error.missing:
            return
        if error.offline:
            self.error_message = error.sentence
        else:
            self._note(SearchGap(kind, error.sentence))
        self._listeners.notify(None)

    def _note(self, gap: SearchGap) -> None:
        self._gaps[gap.kind, gap.of] = gap
