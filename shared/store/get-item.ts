import { GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { send } from './send.ts'

/** Returns the item with a key, read strongly consistently; undefined if there is none. */
export const getItem = async <Item>(Key: {
  readonly pk: string
  readonly sk: string
}): Promise<Item | undefined> => {
  const command = new GetCommand({ TableName: config().table, Key, ConsistentRead: true })
  return (await send<GetCommandOutput>(command)).Item as Item | undefined
}
