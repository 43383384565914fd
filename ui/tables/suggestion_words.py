"""What the review page says about a suggestion, as text. No widget."""

from __future__ import annotations

from ui.tables.hunk_choice import Choices
from ui.widgets.hunk_card import HunkText, State, place_of
from workbench import units
from workbench.model.edit import EditPlan, Hunk
from workbench.model.suggestion import Suggestion
from workbench.state.workspace import SessionView
from workbench.texts import message, tr


def source(suggestion: Suggestion) -> str:
    """Return who made it, with how many tokens and at what price."""
    parts = [tr(suggestion.author.kind)]
    if suggestion.author.name:
        parts.append(suggestion.author.name)
    if suggestion.author.kind == "model":
        parts.append(tokens(suggestion))
        price = suggestion.price_usd
        parts.append(tr("unknown price") if price is None else str(message("${price}", price=units.significant(price, 2))))
    return " · ".join(parts)


def tokens(suggestion: Suggestion) -> str:
    """Return the tokens that the advisor counted, each unknown where it gave none; nobody else counts them."""
    into, out = suggestion.input_tokens, suggestion.output_tokens
    if into is None and out is None:
        return tr("unknown tokens")
    named = [tr("unknown") if count is None else units.count(count) for count in (into, out)]
    return str(message("{into} tokens in, {out} out", into=named[0], out=named[1]))


def other_base(view: SessionView, suggestion: Suggestion, selected: str | None) -> str:
    """Return that a waiting answer edits another version than the selected one; empty where it does not."""
    base, chosen = view.version(suggestion.base), view.version(selected)
    if suggestion.decision != "in review" or base is None or chosen is None or base.hash == chosen.hash:
        return ""
    said = message(
        "This answer edits {base}, not {selected}, which is selected: accepted hunks make a child of {base}.",
        base=base.name,
        selected=chosen.name,
    )
    return str(said)


def edits(view: SessionView, suggestion: Suggestion, plan: EditPlan | None) -> str:
    """Return which version it edits and how much."""
    base = view.version(suggestion.base)
    name = base.name if base else units.short_hash(suggestion.base)
    if plan is None or not plan.hunks:
        return str(message("edits {name}", name=name))
    added, removed = sum(hunk.added for hunk in plan.hunks), sum(hunk.removed for hunk in plan.hunks)
    hunks = tr("1 hunk") if len(plan.hunks) == 1 else str(message("{count} hunks", count=units.count(len(plan.hunks))))
    changed = f"+{units.count(added)} {units.MINUS}{units.count(removed)}"
    return str(message("edits {name} · {hunks}, {changed}", name=name, hunks=hunks, changed=changed))


def hunk_text(hunk: Hunk, count: int) -> HunkText:
    """Return what a hunk's card says: what must be looked at in doubt, why it cannot be used as the reason."""
    notices = " ".join(str(notice) for notice in hunk.notices)
    asked = hunk.status == "needs-confirmation"
    heading = str(message("Hunk {number} of {count}", number=hunk.number, count=count))
    if hunk.status == "already-applied":
        notices = notices or tr("The version already has this change.")
    place = place_of(hunk.first_line, len(hunk.old), hunk.title)
    return HunkText(heading, place, hunk.added, hunk.removed, notices if asked else "", "" if asked else notices)


def state_of(hunk: Hunk, choices: Choices | None) -> State:
    """Return what stands at a hunk."""
    if not hunk.can_apply:
        return "cannot"
    return (choices.of(hunk.number) if choices else None) or "open"


def footer(view: SessionView, suggestion: Suggestion, choices: Choices | None) -> tuple[str, str]:
    """Return the count in bold and what stands behind it."""
    if suggestion.decision == "refused":
        return tr("Refused as a whole"), ""
    if choices is None:
        return "", ""
    accepted = len(choices.numbers("accepted"))
    head = str(message("{accepted} of {count} hunks accepted", accepted=accepted, count=len(choices.plan.hunks)))
    made = view.version(suggestion.result)
    if made:
        return head, str(message("They made {name}.", name=made.name))
    rest = []
    if choices.numbers("refused"):
        rest.append(str(message("{count} refused", count=len(choices.numbers("refused")))))
    if choices.open:
        rest.append(str(message("{count} open", count=len(choices.open))))
    unusable = len(choices.plan.hunks) - len(choices.plan.acceptable)
    if unusable:
        rest.append(str(message("{count} cannot be applied", count=unusable)))
    if view.read_only:
        rest.append(str(view.read_only))
    return head, " · ".join(rest)
