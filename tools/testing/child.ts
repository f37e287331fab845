import { setLogSink } from '../../shared/log.ts'
import { checkedBeginning } from './check.ts'
import { controls } from './control.ts'
import { type Host, startHost } from './host.ts'
import type { Command, Reply } from './messages.ts'

const messageOf = (error: unknown): string => {
  const { details, message } = error as { details?: readonly string[]; message: string }
  return details?.join(' ') ?? message
}

/** Runs a test service for the process that forked this one, until it stops it or is gone. */
export const serveParent = (): void => {
  let host: Host | undefined
  // The service's own failures concern whoever tests; everything else is their business.
  setLogSink((line) => {
    if ((JSON.parse(line) as { level: string }).level === 'error') process.stderr.write(`${line}\n`)
  })
  let ending = false
  const end = async () => {
    ending = true
    await host?.stop()
    process.exit()
  }
  const engineEnded = () => {
    if (ending) return
    console.error('billing-data-api: the DynamoDB engine has stopped')
    process.exit(1)
  }
  const run = async ({ name, argument }: Command): Promise<unknown> => {
    if (name === 'start') {
      const { port, ...beginning } = argument as { port: number }
      host = await startHost({ ...checkedBeginning(beginning), port, host: '127.0.0.1' })
      void host.engine.ended.then(engineEnded)
      return controls.access(host)
    }
    return controls[name](host!, argument)
  }
  const reply = (answer: Reply) => {
    if (process.connected) process.send?.(answer)
  }
  process.on('message', (command: Command) => {
    run(command).then(
      (result) => reply({ id: command.id, result }),
      (error: unknown) => reply({ id: command.id, error: messageOf(error) }),
    )
  })
  process.once('disconnect', () => void end())
}
