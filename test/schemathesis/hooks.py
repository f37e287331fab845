"""Findings of schemathesis that are no failures, each with its reason. Every other one fails the run."""

import json
from urllib.parse import parse_qsl, urlsplit

import schemathesis

# Requests that are valid by the document and still refused: by what is stored, or by a rule that no schema can state.
REFUSED_FOR_A_REASON = (
    # A reference must name something that is stored.
    "must be the id of an existing ",
    "must be a subscription of the same customer",
    # Rules between fields that JSON Schema cannot state.
    "period_end must not be before period_start",
    # Parameters that depend on one another, or on the body.
    "changed_since must not be combined with ",
    " must be absent beside this cursor, ",
    "include must also name line_items",
    " when erased is true",
    # The service has assigned the id to another entity.
    "id must be an id of your own: ",
    # A cursor must come from a page, and belongs to that list and application.
    "cursor must be a next_cursor or previous_cursor ",
    # JSON Schema sees a number after it was parsed, and so cannot tell that digits were lost.
    "must be a number that a double holds exactly",
)

# Some languages send these for no value: in an optional field that is no text, they are null. A schema with them would
# give each of these fields a union of types in generated clients.
FILLERS = ("", [])

# Values of a query that mean "absent", whatever the parameter's type.
ABSENT = ("", "null")


def _details(response):
    try:
        return [error["detail"] for error in json.loads(response.content)["errors"]]
    except (ValueError, KeyError, TypeError):
        return []


def _has_filler(body):
    if not isinstance(body, dict):
        return False
    lines = body.get("line_items")
    objects = [body, *(lines if isinstance(lines, list) else [])]
    return any(value in FILLERS for each in objects if isinstance(each, dict) for value in each.values())


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Returns whether a finding is a failure: false for those with a reason above."""
    kind = type(failure).__name__
    # No schema can state the size of a whole body.
    if kind == "RejectedPositiveData" and response.status_code == 413:
        return False
    if kind == "RejectedPositiveData" and response.status_code == 422:
        details = _details(response)
        return not details or not all(any(reason in detail for reason in REFUSED_FOR_A_REASON) for detail in details)
    if kind == "AcceptedNegativeData":
        # The query as it was sent, in which an empty object has become an empty text.
        sent = parse_qsl(urlsplit(response.request.url).query, keep_blank_values=True)
        is_absent = any(name in ("limit", "cursor", "include") and value in ABSENT for name, value in sent)
        return not is_absent and not _has_filler(case.body)
    return True
