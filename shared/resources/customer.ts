import { about, example } from '../contract/about.ts'
import { defineCreate, defineList, defineRetrieve, defineUpdateOrErase } from '../contract/endpoint.ts'
import { hidden, optional, personal } from '../contract/field.ts'
import { flag, metadata, text, timestamp } from '../contract/fields.ts'
import { onConflictOption } from '../contract/on-conflict.ts'
import { defineResource } from '../contract/resource.ts'
import { noPersonalDataRule } from '../contract/rules.ts'
import type { Values } from '../contract/schema.ts'

/** A person or company that is billed. */
export const customer = defineResource({
  name: 'customer',
  plural: 'customers',
  prefix: 'cus',
  isMutable: true,
  about: about(
    'A person or company that you bill. Anonymising a customer erases the person and keeps the records.',
    1042,
  ),
  fields: {
    name: personal(optional(text(5_000, about('The full name.', 'Ann Example'))), 'Anonymous customer'),
    email: personal(
      optional(text(512, about('The email address, stored as you send it.', 'ann@example.org'))),
      'anonymous@anonymous.invalid',
    ),
    description: personal(
      hidden(optional(text(5_000, about('A note. Stored, but not returned.', 'Met at the trade fair')))),
      null,
    ),
    created: personal(
      hidden(
        optional(
          timestamp(
            about(
              'The time at which the customer was created. Stored, but not returned.',
              '2026-01-15T09:30:00+01:00',
            ),
          ),
        ),
      ),
      null,
    ),
    phone: personal(
      hidden(optional(text(255, about('A phone number. Stored, but not returned.', '+49 30 1234567')))),
      null,
    ),
    metadata: optional(
      metadata(
        about(
          'Your own keys and values, of any JSON type, returned exactly as sent. At most 16 KiB and 8 levels deep.',
          { plan: 'pro', seats: 3, newsletter: true },
        ),
      ),
      {},
    ),
  },
})

/** The endpoints of customers. */
export const customers = {
  list: defineList(customer),
  create: defineCreate(customer, {
    examples: { customer: example('A customer') },
    options: {
      erased: {
        ...flag(
          about(
            `\`true\` records a customer who is anonymised from the start: \`id\` and \`metadata\` are kept, \`name\` and \`email\` are
placeholders. Personal data in the body is refused. \`409\` if the id belongs to a customer who is not anonymised.`,
          ),
        ),
        rule: noPersonalDataRule(customer.fields),
      },
      on_conflict: {
        ...onConflictOption(
          `\`update\` replaces the content of an existing customer with what this create would have recorded: absent fields are cleared. Equal values write
nothing. The header \`create-outcome\` is \`created\`, \`updated\` or \`unchanged\`. \`409\` if the customer is anonymised.`,
        ),
        rule: (_: Values, { erased }: Values) =>
          erased ? [{ path: 'on_conflict', problem: 'must be absent when erased is true' }] : [],
      },
    },
  }),
  retrieve: defineRetrieve(customer),
  update: defineUpdateOrErase(customer, {
    about:
      about(`**Without a body this operation erases the person.** Generated clients make the body an optional argument: check that it
is present before you call them.

**With a body** it updates the customer. An absent field is not changed, \`null\` clears a field, and \`metadata\` is replaced as
a whole. \`id\` must be an id of the customer in the path, your own or the one the service assigned.

**Without any body** it anonymises the customer: \`name\` and \`email\` become placeholders that are the same for everyone,
\`description\`, \`created\` and \`phone\` are erased, and \`metadata\`, ids and invoices stay. \`{}\` and \`null\` are bodies: they return 422 and
erase nothing.`),
    examples: {
      update: example('A new email address; the phone number is cleared', {
        name: undefined,
        email: 'ann@new.example.org',
        description: undefined,
        created: undefined,
        phone: null,
        metadata: undefined,
      }),
    },
  }),
}
