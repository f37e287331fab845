/** What the document says in words of no single field or endpoint. */

/** The document's introduction. */
export const introduction = `Record what your application bills, and read it back.

## Authentication
Every operation wants two headers: \`Authorization: Bearer <API key>\` and \`x-app-id: <application id>\`. Any fault in them is
the same \`401\`. An application sees only what it has recorded itself.

## Ids and safe retries
You create everything under an id of your own: a string, or an integer, which is the same id as its digits. \`.\` and \`..\`
are refused, since URLs lose them. We assign a second one, such as \`prod_…\`, and return that. Either works wherever an id is taken.

Creating again with the same id and the same content answers \`200\` with what is there already, at any later time, so a
create whose answer was lost can simply be sent again. Different content is \`409\`, and nothing changes.

## Lists
Newest first, by when we recorded it, as the clock of the recording instance says: what two instances record within the
difference of their clocks may stand in either order. Pass \`next_cursor\` as \`cursor\` for the next page and \`previous_cursor\` for the one before.
A cursor does not expire, belongs to its list and its application, and has no meaning to be read out of it.

## Money and time
Amounts are integers in the currency's minor unit: 1999 is 19.99 EUR. Dates are sent as text and returned as seconds since the
epoch, UTC.

## Errors
Every error is \`{ "errors": [ … ] }\` with one entry per fault. One answer names everything that can be told from the
request alone; references to what does not exist follow, all together, in the next. Each \`detail\` begins with the field at fault. Unknown fields and query parameters are refused, not ignored. \`429\` and \`503\` say in \`Retry-After\` when to
try again; all requests are safe to repeat. Quote \`x-request-id\` when you ask about a request.`

/** What each kind of error means. */
export const errorTexts = {
  unreadable_body: 'The body is not JSON in UTF-8.',
  unauthorized: 'The credentials are missing, wrong or revoked; which of these is not said.',
  forbidden: 'The firewall in front of the service refused the request.',
  entity_not_found: 'There is nothing with this id.',
  conflict: 'The id is taken by something with other content, or is not that of the entity in the path.',
  body_too_large: 'The body is larger than 256 KiB.',
  unsupported_media_type: 'The content type is not JSON.',
  invalid: 'A value in the body, the query or the path breaks a rule. Every fault is listed, up to 50.',
  too_many_requests: 'More requests than the service allows in a time. Nothing was recorded.',
  internal: 'A fault of ours. The request may be repeated.',
  unavailable: 'The service is busy. The request may be repeated.',
} as const
