import type { DatabaseCall } from '../database/database-calls.ts'

/** A command that was sent to the database. */
type SentCommand = Pick<DatabaseCall, 'command' | 'input'>
/** A part of a transaction: the input of its action, by the action's name. */
type TransactionPart = Readonly<Record<string, Record<string, unknown>>>

const partsOf = ({ input }: SentCommand): TransactionPart[] => input.TransactItems as TransactionPart[]
const isTransaction = ({ command }: SentCommand): boolean => command === 'TransactWriteItemsCommand'
const actionOf = (part: string): string => `dynamodb:${part}Item`

/** Returns the permissions that a command needs: IAM actions on the table or on an index. */
export const rightsFor = (call: SentCommand): string[] => {
  if (isTransaction(call)) return partsOf(call).flatMap((part) => Object.keys(part).map(actionOf))
  const action = `dynamodb:${call.command.replace('Command', '')}`
  return [call.input.IndexName ? `${action} on ${call.input.IndexName}` : action]
}

/** Returns the partition keys of a command, which IAM calls leading keys. */
export const leadingKeys = (call: SentCommand): string[] => {
  const inputs = isTransaction(call) ? partsOf(call).flatMap(Object.values) : [call.input]
  return inputs.map(({ Key, Item, KeyConditionExpression, ExpressionAttributeValues }) => {
    const [, name] = /= ?(:\w+)/.exec(String(KeyConditionExpression)) ?? []
    return name ? (ExpressionAttributeValues as Record<string, string>)[name]! : (Key ?? Item).pk
  })
}
