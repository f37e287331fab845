"""Findings of schemathesis that are not failures, each with its reason. Every other finding fails the run."""

import json
from urllib.parse import parse_qsl, urlsplit

import schemathesis

# Parts of the details of requests that the document allows and the service refuses, because of stored data or of a rule that no
# schema can state.
REFUSED_FOR_A_REASON = (
    # A reference must name an existing entity.
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
    # A cursor must come from a page of the same list and application.
    "cursor must be a next_cursor or previous_cursor ",
    # JSON Schema validates parsed numbers, which have already lost digits.
    "must be a number that a double holds exactly",
)

# Some languages send these values for null. The service reads them as null in an optional field that is not text. The document
# does not mention them, because they would give each of these fields a union of types in generated clients.
FILLERS = ("", [])

# Values of query parameters that mean "absent", whatever the type of the parameter.
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
    values = [value for fields in objects if isinstance(fields, dict) for value in fields.values()]
    return any(value in FILLERS for value in values)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Returns whether a finding is a failure. Returns false if one of the reasons above explains it."""
    kind = type(failure).__name__
    # No schema can state the size of a whole body.
    if kind == "RejectedPositiveData" and response.status_code == 413:
        return False
    if kind == "RejectedPositiveData" and response.status_code == 422:
        details = _details(response)
        explained = [any(reason in detail for reason in REFUSED_FOR_A_REASON) for detail in details]
        return not explained or not all(explained)
    if kind == "AcceptedNegativeData":
        # The query as it was sent, in which an empty object has become an empty text.
        sent = parse_qsl(urlsplit(response.request.url).query, keep_blank_values=True)
        is_absent = any(name in ("limit", "cursor", "include") and value in ABSENT for name, value in sent)
        return not is_absent and not _has_filler(case.body)
    return True
