import { completeObjectSchema, type ObjectSchema, type Schema } from './schema.ts'

/** The `source` and `detail-type` of the events that a deployment with the setting `events` sends. */
export const EVENT_SOURCE = 'billing-data-api'
export const EVENT_TYPE = 'entity.changed'

const text = (description: string, keywords: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...keywords,
})

/** The schema of an event's detail. It contains no field of the entity. */
export const changeDetail: ObjectSchema = {
  ...completeObjectSchema({
    change_id: text('The id of the change. An event that is delivered twice has the same id.'),
    change: text('`INSERT` if the entity was created, `MODIFY` if it was changed.', {
      enum: ['INSERT', 'MODIFY'],
      component: 'ChangeKind',
    }),
    entity: text('The id of the application, `#`, and the id that the service assigned to the entity.', {
      pattern: '^app_[0-9A-Za-z]+#[a-z]+_[0-9A-Za-z]+$',
      examples: ['app_Jz4sYb0Qm2XvTn8R#inv_5sJmVh0cXqYt3bNfLw8ZaE'],
    }),
  }),
  component: 'ChangeDetail',
  meaning: 'Which entity changed.',
}

/** A created or changed entity in EventBridge's envelope, as a queue or an API destination receives it. */
export const changeEvent: ObjectSchema = {
  ...completeObjectSchema({
    version: text('The version of the envelope.'),
    id: text('The id of the event.'),
    'detail-type': text('The type of the event.', { const: EVENT_TYPE }),
    source: text('The sender of the event.', { const: EVENT_SOURCE }),
    account: text('The AWS account of the service.'),
    time: text('When the event was put on the bus, as RFC 3339.'),
    region: text('The AWS region of the service.'),
    detail: { ...changeDetail, description: 'Which entity changed.' },
  }),
  component: 'ChangeEvent',
  meaning: 'An entity was created or changed; retrieve it to see its current state.',
}
