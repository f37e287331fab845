import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'

/**
 * The baseline of the measurements: a bare SDK client that sends the same commands as our store, already
 * marshalled. It is bundled like our functions, with the whole SDK.
 */

let client: DynamoDBClient | undefined
const commands = { GetItemCommand, PutItemCommand, QueryCommand }

export type BareCommand = keyof typeof commands

/** Sends one of the three commands and returns its output. The first call creates the client. */
export const sendBare = (name: BareCommand, input: never): Promise<unknown> => {
  client ??= new DynamoDBClient({})
  return client.send(new (commands[name] as typeof GetItemCommand)(input))
}
