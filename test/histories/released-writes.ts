import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { serverIdFor } from '../../shared/ids.ts'
import type { Item } from '../../shared/store/items.ts'
import { send, unavailableError } from '../../shared/store/send.ts'
import { currentService, tableName } from '../../shared/store/service.ts'
import { stampAfter, wasExecuted } from '../../shared/store/stamps.ts'
import { anonymisedValues } from '../support/requests/bodies.ts'

/**
 * The PUT of a customer as version 0.2.0 sends it to the table: these expressions, and again with a later
 * stamp after a concurrent write. They never change, since the version is released.
 */

const NEXT_STAMPS =
  'stamp = :stamp, stamp_1 = if_not_exists(stamp, :none), stamp_2 = if_not_exists(stamp_1, :none), ' +
  'stamp_3 = if_not_exists(stamp_2, :none)'
const KEEP_FIRST =
  'first_data = if_not_exists(first_data, #data), first_extra = if_not_exists(first_extra, #extra)'
const IS_LATER = '#order < :stamp AND (attribute_not_exists(stamp) OR stamp < :stamp)'

const changeOf = (body: Record<string, unknown>, erased: string | undefined) => {
  const fields = Object.entries(body)
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => [name, name === 'metadata' ? JSON.stringify(value) : value] as const)
  const set = fields.filter(([, value]) => value !== null)
  const removed = fields.filter(([, value]) => value === null)
  const sets = [...set.map(([name]) => `#data.#data_${name} = :data_${name}`), NEXT_STAMPS, KEEP_FIRST]
  const removes = removed.map(([name]) => `#data.#data_${name}`)
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ConditionExpression: `${IS_LATER} AND ${erased ? 'erased = :erased' : 'attribute_not_exists(erased)'}`,
    ExpressionAttributeNames: {
      '#data': 'data',
      '#extra': 'extra',
      '#order': 'order',
      ...Object.fromEntries(fields.map(([name]) => [`#data_${name}`, name])),
    },
    values: {
      ...Object.fromEntries(set.map(([name, value]) => [`:data_${name}`, value])),
      ...(erased ? { ':erased': erased } : {}),
    },
  }
}

const erasure = {
  UpdateExpression:
    `SET #data.#data_name = :name, #data.#data_email = :email, ${NEXT_STAMPS}, erased = :stamp ` +
    'REMOVE #extra.#extra_phone, #extra.#extra_description, #extra.#extra_created, first_data, first_extra',
  ConditionExpression: IS_LATER,
  ExpressionAttributeNames: {
    '#data': 'data',
    '#extra': 'extra',
    '#order': 'order',
    '#data_name': 'name',
    '#data_email': 'email',
    '#extra_phone': 'phone',
    '#extra_description': 'description',
    '#extra_created': 'created',
  },
  values: { ':name': anonymisedValues.name, ':email': anonymisedValues.email },
}

/**
 * Changes the named visible fields of a customer or, without a body, erases it. Returns the item after that.
 */
export const putAs020 = async (app: string, externalId: string, body?: object): Promise<Item> => {
  const id = serverIdFor(app, 'cus', externalId)
  let newest: string | undefined
  let erased: string | undefined
  for (;;) {
    const stamp = stampAfter(newest ?? '', currentService().clock.recordingInstant())
    const { values, ...form } = body ? changeOf({ ...body }, erased) : erasure
    const command = new UpdateCommand({
      ...form,
      TableName: tableName(),
      Key: { pk: `${app}#${id}`, sk: 'ENTITY' },
      ExpressionAttributeValues: { ':stamp': stamp, ':none': '', ...values },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    let doubtful = false
    const onDoubt = () => {
      doubtful = true
    }
    try {
      return (await send<UpdateCommandOutput>(command, onDoubt)).Attributes as Item
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error
      const item = unmarshall(error.Item) as Item
      const executed = wasExecuted(stamp, item)
      if (executed) return item
      if (executed === undefined && doubtful) throw unavailableError(error)
      newest = item.stamp ?? item.order
      erased = item.erased
    }
  }
}
