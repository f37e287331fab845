/** The texts of the document that do not belong to a single field or endpoint. */

/** The document's introduction. */
export const introduction = `Record what your application bills, and read it back.

## Authentication
Send two headers with every request: \`Authorization: Bearer <API key>\` and \`x-app-id: <application id>\`. Wrong or missing
credentials always get the same \`401\`. An application sees only its own records. With a read-only key, which begins with
\`bdr_\`, every \`POST\` and \`PUT\` returns \`403\`.

## Ids and idempotent creates
You create every entity under your own id: a string or an integer, where \`42\` and \`"42"\` are the same id. \`.\` and \`..\`
are refused, because URLs remove them. The service assigns a second id, such as \`prod_…\`, and returns it. Wherever an id is
taken, you can send either.

A create with the same id and the same content returns \`200\` with the existing entity, however much later it comes. So if a
response is lost, send the create again. With different content, the response is \`409\`, and nothing changes. With an \`id\` that the
service assigned to another entity of the same resource, it is \`422\`.

## Updating and erasing a customer
\`PUT /api/customers/{id}\` updates the customer if it has a body and **erases the person if it has none**. Generated clients
make that body an optional argument: wrap the method in a function that requires it.

## Lists and pagination
Lists are ordered by the time of recording, newest first. If two instances of the service record two entities within the difference
between their clocks, the two can appear in either order. Pass \`next_cursor\` as \`cursor\` for the next page, and
\`previous_cursor\` for the page before. A cursor does not expire, and works only for its own list and application, with the
same filter. Treat it as opaque.

With \`changed_since\`, a list contains the entities that were recorded or changed since a time, oldest change first.

## Money and time
Amounts are integers in the currency's minor unit: 1999 is 19.99 EUR. Requests take dates as text; responses have seconds since the
epoch, UTC. Currencies are returned in upper case.

In an optional field that is not text, such as a date or an integer, \`""\` is read as null. As the value of
\`metadata\`, \`[]\` is read as null too.

## Errors
Every error response is \`{ "errors": [ … ] }\` with one entry for each error. The first response lists all errors that the service finds
without a look-up; references to unknown entities follow, all together, once those are corrected. Each \`detail\` begins with the
invalid field. Unknown fields and query parameters are refused, not ignored. After \`429\` and \`503\`, retry after the seconds in
\`Retry-After\`. All requests are safe to repeat. Quote \`x-request-id\` when you ask about a request.`

/** The meaning of each kind of error. */
export const errorTexts = {
  unreadable_body: 'The body is not JSON in UTF-8.',
  unauthorized: 'The credentials are missing, wrong or revoked; the response does not reveal which.',
  forbidden:
    'The API key is read-only and the request writes, or the firewall in front of the service refused the request.',
  entity_not_found: 'No entity has the id in the path, or it is not a valid id.',
  conflict: 'Another entity has this id with other content, or the body names another id than the path.',
  body_too_large: 'The body is larger than 256 KiB.',
  unsupported_media_type: 'The content type is not JSON, or the body is compressed.',
  invalid: 'The body or the query breaks a rule. The response lists every error, up to 50.',
  too_many_requests:
    'The rate limit is exceeded, or too many requests update one customer at once. Nothing was recorded; retry after `Retry-After` seconds.',
  internal: 'The service failed. You can repeat the request.',
  unavailable: 'The service is busy. Retry after `Retry-After` seconds.',
} as const
