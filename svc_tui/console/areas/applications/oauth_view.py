"""The OAuth settings of an application in plain sentences, each a key away from its field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from textual import on

from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.place_requests import record_at, specs_of
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.editing import record_forms
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.form import FormView
from svc_tui.console.views.sheet_view import WrappedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.data import RecordData
from svc_tui.interface.value_words import word
from svc_tui.language import _
from svc_tui.workspace.applications import oauth_settings

if TYPE_CHECKING:
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.open_record import OpenRecord

_STYLES = {"prevents": "bad", "limits": "warn", "notes": ""}
RESTART = "applications.restart"


class OAuthView(WrappedView):
    """Findings about the settings, then what they mean; of the saved record, or of a form as it is edited."""

    kind = "report"
    LABEL, BESIDE = 12, 6

    def __init__(
        self,
        place: Place,
        resource: Resource,
        source: OpenRecord | ListedRecord | None = None,
        form: FormView | None = None,
        name: str = "",
    ) -> None:
        """One of `source` and `form`. `name` is the application's, where the view below does not show it."""
        super().__init__(place, resource)
        self._shown, self._source, self.form, self._app_name = resource, source, form, name
        self._forget = source.subscribe(self._changed) if source is not None else lambda: None

    @property
    def resource(self) -> Resource:
        return self._shown

    @property
    def record(self) -> RecordData | None:
        if self.form is not None:
            return {**self.form.form.before, **self.form.form.values}
        return self._source.data if self._source is not None else None

    @property
    def crumb(self) -> str:
        return _("OAuth of {application}").format(application=self._app_name) if self._app_name else "OAuth"

    @property
    def ready(self) -> bool:
        return self.record is not None or bool(self._source is not None and self._source.error_message)

    @property
    def field(self) -> str:
        """The wire name of the selected setting; empty where none is selected."""
        line = self.sheet.line
        return line.key.partition(" ")[2] if line is not None else ""

    @property
    def changeable(self) -> bool:
        """Whether an operation changes the selected setting."""
        return self.field != oauth_settings.STATE or (self.record or {}).get("state") == "stopped"

    def on_mount(self) -> None:
        super().on_mount()
        if self._source is not None:
            self._source.retry()

    def _changed(self) -> None:
        self.draw()
        self.notify_changed()

    def lines(self) -> Iterable[Line]:
        record = self.record
        if record is None:
            error_message = self._source.error_message if self._source is not None else ""
            return [Line("text", value=error_message or _("Loading…"), style="dim")]
        return self._lines(record)

    def _lines(self, record: RecordData) -> Iterator[Line]:
        findings = oauth_settings.warnings(record)
        yield Line("heading", label=_("Findings"))
        for number, each in enumerate(findings):
            key = f"finding-{number} {each.field}"
            yield Line("field", each.about, safe(each.sentence), key=key, style=_STYLES[each.effect])
        if not findings:
            yield Line("text", value=_("  No findings."), style="ok")
        yield Line("heading", label=_("What the settings mean"))
        for meaning in oauth_settings.meanings(record):
            yield Line("field", meaning.about, safe(meaning.sentence), key=f"meaning {meaning.field}")
        if self.form is None:
            yield Line("heading")
            how = self.with_keys(_("{applications.try_oauth} tries them in a browser on this machine."))
            yield Line("text", value=f"  {how}", style="dim")

    def status(self) -> Sequence[Piece]:
        record = self.record
        if self._source is not None and self._source.error_message:
            return [Piece(f" {self._source.error_message}", "warn")]
        if record is None or not self.field:
            return ()
        spec = next((spec for spec in specs_of(self._shown) if spec.wire == self.field), None)
        label = spec.label if spec is not None else self.field
        value = _short(value_text(record.get(self.field), spec))
        how = _("   {applications.oauth_change} changes it") if self.changeable else _("   no operation changes it")
        return [Piece(f" {label}: {value}", "accent"), Piece(self.with_keys(how), "dim")]

    @on(Sheet.Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    def refresh_now(self) -> None:
        if self._source is not None:
            self._source.refresh()

    def close(self) -> None:
        super().close()
        self._forget()
        if self._source is not None:
            self._source.close()


def _short(text: str) -> str:
    return safe(text if len(text) <= 36 else f"{text[:35]}…")


async def show_settings(context: Context) -> None:
    """Explain the OAuth settings of the selected application."""
    resource, record = context.require_resource(), context.require_record()
    in_detail = isinstance(context.view, DetailView)
    place = context.view.place if in_detail else context.view.place.record(resource.record_id(record))
    source = record_at(resource, place, context.workspace)
    name = "" if in_detail else resource.label(record)
    await context.stage.show(OAuthView(place, resource, source, name=name))


async def show_edited(context: Context) -> None:
    """Explain the OAuth settings of the form as they are edited."""
    form = context.require_view(FormView)
    await context.stage.show(OAuthView(form.place, context.require_resource(), form=form))


def cannot_change(context: Context) -> str:
    """Why the selected setting cannot be changed."""
    view = context.view
    if not isinstance(view, OAuthView) or not view.field:
        return _("no setting is selected")
    return "" if view.changeable else _("no operation can change this")


def cannot_try(context: Context) -> str:
    """Why the flow cannot be tried."""
    record, view = context.record or {}, context.view
    if record.get("state") in oauth_settings.CLOSED:
        return _("the application is {state}").format(state=word(record["state"]))
    return _("the form has not been sent") if isinstance(view, OAuthView) and view.form is not None else ""


async def change_setting(context: Context) -> None:
    """Begin the change of the selected setting: in the form below, a new form, or by the restart."""
    view = context.require_view(OAuthView)
    field = view.field
    if view.form is not None:
        await context.stage.back()
        view.form.go_to_field(field)
    elif field == oauth_settings.STATE:
        await _restart(context)
    else:
        form = await record_forms.edit_form(context)
        await context.stage.show(form)
        form.go_to_field(field)


async def _restart(context: Context) -> None:
    await context.stage.open(context.view.place)
    opened: Any = context.stage.views[-1]
    if isinstance(opened, DetailView):
        await opened.loaded()
        context.stage.perform_by_name(RESTART)
