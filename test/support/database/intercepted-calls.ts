import { dynamodb } from '../../../shared/store/service.ts'

// biome-ignore lint/suspicious/noExplicitAny: the types of inputs and outputs depend on the command
type Values = any

/** `command` is the SDK's name, such as `UpdateItemCommand`. */
interface Call {
  readonly command: string
  readonly input: Values
}

const NAME = 'intercepted-calls'

export const stopIntercepting = (): boolean => dynamodb().middlewareStack.remove(NAME)
afterEach(stopIntercepting)

/**
 * In place of each call of DynamoDB, until the end of the test. `proceed` makes the call, with another input
 * if one is given.
 */
export const interceptCalls = (
  work: (call: Call, proceed: (input?: Values) => Promise<Values>) => Promise<Values>,
): void =>
  dynamodb().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { input } = args
        const proceed = async (other: Values = input) => (await next({ ...args, input: other })).output
        return { response: undefined, output: await work({ command: String(commandName), input }, proceed) }
      },
    { step: 'initialize', name: NAME },
  )
