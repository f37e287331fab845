import type { DatabaseCall } from '../database/database-calls.ts'

type SentCommand = Pick<DatabaseCall, 'command' | 'input'>
type TransactionPart = Readonly<Record<string, Record<string, unknown>>>

const partsOf = ({ input }: SentCommand): TransactionPart[] => input.TransactItems as TransactionPart[]
const isTransaction = ({ command }: SentCommand): boolean => command === 'TransactWriteItemsCommand'
const actionOf = (part: string): string => `dynamodb:${part}Item`

/** IAM actions on the table or on an index. */
export const rightsFor = (call: SentCommand): string[] => {
  if (isTransaction(call)) return partsOf(call).flatMap((part) => Object.keys(part).map(actionOf))
  const action = `dynamodb:${call.command.replace('Command', '')}`
  return [call.input.IndexName ? `${action} on ${call.input.IndexName}` : action]
}

/** IAM calls them leading keys. */
export const leadingKeys = (call: SentCommand): string[] => {
  const inputs = isTransaction(call) ? partsOf(call).flatMap(Object.values) : [call.input]
  return inputs.map(({ Key, Item, KeyConditionExpression, ExpressionAttributeValues }) => {
    const [, name] = /= ?(:\w+)/.exec(String(KeyConditionExpression)) ?? []
    return name ? (ExpressionAttributeValues as Record<string, string>)[name]! : (Key ?? Item).pk
  })
}
