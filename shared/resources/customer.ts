import { parseDate } from '../contract/dates.ts'
import { create, list, retrieve, updateOrAnonymise } from '../contract/endpoint.ts'
import {
  clientId,
  date,
  description,
  email,
  metadata,
  name,
  nullable,
  phone,
  seconds,
} from '../contract/fields.ts'
import { type Content, resource } from '../contract/resource.ts'
import { metadataIsBounded } from '../contract/rules.ts'
import { object, type ValueOf } from '../contract/schema.ts'

/** §2 Customer. */
export const customer = resource({
  name: 'customer',
  plural: 'customers',
  prefix: 'cus',
  fields: { name: nullable(name), email: nullable(email), metadata },
  kept: { description: nullable(description), phone: nullable(phone), created: nullable(seconds) },
})

const body = object(
  {
    id: clientId,
    name: nullable(name),
    email: nullable(email),
    description: nullable(description),
    created: nullable(date),
    phone: nullable(phone),
    metadata: nullable(metadata),
  },
  ['id'],
)
type Request = ValueOf<typeof body>

/** §4 Customers. */
export const customers = {
  list: list(customer),
  create: create(customer, body, [metadataIsBounded]),
  retrieve: retrieve(customer),
  update: updateOrAnonymise(customer, body, [metadataIsBounded]),
}

const createdFrom = (created: string | null | undefined) =>
  created == null ? null : (parseDate(created) ?? null)

/** The customer that a create's body describes. */
export const customerFrom = (request: Request): Content<typeof customer> => ({
  fields: { name: request.name ?? null, email: request.email ?? null, metadata: request.metadata ?? {} },
  kept: {
    description: request.description ?? null,
    phone: request.phone ?? null,
    created: createdFrom(request.created),
  },
})

/** The fields that an update's body changes: those present, null clearing them (R10). */
export const customerChanges = (request: Request): { fields: object; kept: object } => {
  const { fields, kept } = customerFrom(request)
  const sent = <T extends object>(values: T) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => Object.hasOwn(request, field)))
  return { fields: sent(fields), kept: sent(kept) }
}

/** What stands in place of a person after anonymisation, the same for everyone (R11). */
export const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' } as const
