import { completeObjectSchema, type ObjectSchema } from './schema.ts'

/** The event that a deployment with the setting `events` puts on its bus when an entity is created or changed. */

export const EVENT_SOURCE = 'billing-data-api'
export const EVENT_TYPE = 'entity.changed'

const string = (description: string, more: object = {}) => ({ type: 'string', description, ...more })

/** The detail of the event of a change. It contains no field of the entity. */
export const changeDetail: ObjectSchema = {
  ...completeObjectSchema({
    change_id: string('The id of the change. An event that is delivered twice has the same id.'),
    change: string('`INSERT` if the entity was created, `MODIFY` if it was changed.', {
      enum: ['INSERT', 'MODIFY'],
      component: 'ChangeKind',
    }),
    entity: string('The id of the application, `#`, and the id that the service assigned to the entity.', {
      pattern: '^app_[0-9A-Za-z]+#[a-z]+_[0-9A-Za-z]+$',
      examples: ['app_Jz4sYb0Qm2XvTn8R#inv_5sJmVh0cXqYt3bNfLw8ZaE'],
    }),
  }),
  component: 'ChangeDetail',
  meaning: 'Which entity changed.',
}

/** The event in the envelope of EventBridge, as a queue or an API destination receives it. */
export const changeEvent: ObjectSchema = {
  ...completeObjectSchema({
    version: string('The version of the envelope.'),
    id: string('The id of the event.'),
    'detail-type': string('The type of the event.', { const: EVENT_TYPE }),
    source: string('The sender of the event.', { const: EVENT_SOURCE }),
    account: string('The AWS account of the service.'),
    time: string('When the event was put on the bus, as RFC 3339.'),
    region: string('The AWS region of the service.'),
    detail: { ...changeDetail, description: 'Which entity changed.' },
  }),
  component: 'ChangeEvent',
  meaning: 'An entity was created or changed; retrieve it to see its current state.',
}
