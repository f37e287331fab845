import { changeEvent, EVENT_SOURCE, EVENT_TYPE } from '../contract/change-event.ts'
import type { Schema } from '../contract/schema.ts'
import type { JsonObject } from './document-parts.ts'
import { Translator } from './schemas.ts'

/** A schema without components, because generators for Go leave out components that no path refers to. */
const inline = ({ component: _, meaning, properties, ...schema }: Schema): Schema => ({
  ...(meaning ? { description: meaning } : {}),
  ...schema,
  ...(properties
    ? {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, inline(property)]),
        ),
      }
    : {}),
})

const exampleEvent = {
  version: '0',
  id: '7bf73129-1428-4cd3-a780-95db273d1602',
  'detail-type': EVENT_TYPE,
  source: EVENT_SOURCE,
  account: '111122223333',
  time: '2026-01-15T08:30:02Z',
  region: 'eu-west-1',
  detail: {
    change_id: 'aadf063d99e89af53c4212e558d681b3',
    change: 'INSERT',
    entity: 'app_Jz4sYb0Qm2XvTn8R#inv_5sJmVh0cXqYt3bNfLw8ZaE',
  },
}

/** Without the tag, the documentation page would link to the group of events by "undefined". */
export const eventsTag = { name: 'Events', description: 'What the service sends when an entity has changed.' }

/** The requests that the service sends: the event of a change, if the operator has turned events on. */
export const openApiWebhooks = (): JsonObject => ({
  entityChanged: {
    post: {
      operationId: 'entityChanged',
      tags: [eventsTag.name],
      summary: 'An entity was created or changed',
      description: `Sent by a rule on the event bus of the service, if its operator has turned events on and created such a rule for you. Retrieve
the entity by the id after \`#\` to see its current state. Events can arrive more than once and in any order.`,
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: new Translator('response').translate(inline(changeEvent)),
            examples: { invoice: { summary: 'A new invoice', value: exampleEvent } },
          },
        },
      },
      responses: {
        200: {
          description: 'Received. After any other response, or none in five seconds, it is sent again.',
        },
      },
    },
  },
})
