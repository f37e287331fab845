import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'

/**
 * What everything is measured against: the leanest thing that could answer, a bare client sending the very inputs that
 * our store sends, already marshalled. It is bundled as our functions are, without anything left out of the SDK.
 */

let client: DynamoDBClient | undefined
const commands = { GetItemCommand, PutItemCommand, QueryCommand }

export type BareCommand = keyof typeof commands

/** Sends one of the three commands and returns the answer as it is; the client is made by the first, as ours is. */
export const send = (name: BareCommand, input: never): Promise<unknown> => {
  client ??= new DynamoDBClient({})
  return client.send(new (commands[name] as typeof GetItemCommand)(input))
}
