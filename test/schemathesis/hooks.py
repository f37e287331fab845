"""What no document can tell schemathesis; each with its reason. Everything else that it finds fails the run."""

import json
from urllib.parse import parse_qsl, urlsplit

import schemathesis

# Requests that agree with the document and are refused all the same: by what is stored, or what a schema cannot say.
REFUSED_FOR_A_REASON = (
    # A reference must name something that is stored.
    "must be the id of an existing ",
    "must be a subscription of the same customer",
    # Rules between fields that JSON Schema cannot say.
    "period_end must not be before period_start",
    # What goes together in a query or with one.
    "changed_since must not be combined with ",
    " must be absent beside this cursor, ",
    "include must name line_items too",
    " when erased is true",
    # The id that the service has assigned to something else.
    "id must be an id of your own: ",
    # Only a cursor that a list gave is one, and it belongs to that list and application.
    "cursor must be a next_cursor or previous_cursor ",
    # JSON Schema sees a number after it was parsed, and so cannot tell that digits were lost.
    "must be a number that a double holds exactly",
)

# What clients of some languages send for nothing: null in an optional field that is no text. A schema that said so would
# give generated clients a union of types for each of these fields.
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
    """Whether a failure is one: false for those with a reason above."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData" and response.status_code == 422:
        details = _details(response)
        return not details or not all(any(reason in detail for reason in REFUSED_FOR_A_REASON) for detail in details)
    if kind == "AcceptedNegativeData":
        # As it was sent: an empty object became an empty text on the way.
        sent = parse_qsl(urlsplit(response.request.url).query, keep_blank_values=True)
        is_absent = any(name in ("limit", "cursor", "include") and value in ABSENT for name, value in sent)
        return not is_absent and not _has_filler(case.body)
    return True
