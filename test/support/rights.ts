import { documents } from '../../shared/store/aws/client.ts'

/** A command that was sent to the database. */
export interface Sent {
  readonly command: string
  readonly input: Record<string, unknown>
}

/** Records every command to the database from now on. */
export const recordCommands = (): Sent[] => {
  const sent: Sent[] = []
  documents().middlewareStack.add(
    (next, context) => (args) => {
      sent.push({ command: String(context.commandName), input: args.input as Record<string, unknown> })
      return next(args)
    },
    { step: 'initialize' },
  )
  return sent
}

type Part = Readonly<Record<string, Record<string, unknown>>>

const partsOf = ({ input }: Sent): Part[] => input.TransactItems as Part[]
const isTransaction = ({ command }: Sent): boolean => command === 'TransactWriteItemsCommand'
const actionOf = (part: string): string => `dynamodb:${part}Item`

/** Returns the permissions that a command needs: IAM actions on the table or on an index. */
export const rightsFor = (sent: Sent): string[] => {
  if (isTransaction(sent)) return partsOf(sent).flatMap((part) => Object.keys(part).map(actionOf))
  const action = `dynamodb:${sent.command.replace('Command', '')}`
  return [sent.input.IndexName ? `${action} on ${sent.input.IndexName}` : action]
}

/** Returns the partition keys of a command, which IAM calls leading keys. */
export const leadingKeys = (sent: Sent): string[] => {
  const inputs = isTransaction(sent) ? partsOf(sent).flatMap(Object.values) : [sent.input]
  return inputs.map(({ Key, Item, KeyConditionExpression, ExpressionAttributeValues }) => {
    const [, name] = /= ?(:\w+)/.exec(String(KeyConditionExpression)) ?? []
    return name ? (ExpressionAttributeValues as Record<string, string>)[name]! : (Key ?? Item).pk
  })
}
