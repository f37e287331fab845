import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** A process that runs a script of this folder and responds to one message at a time. */
interface Child<Message> {
  /** Throws Error if the script responds with an error. */
  ask<Response>(message: Message): Promise<Response>
  end(): void
}

/** Its output is discarded. */
export const startChild = <Message extends string | object>(
  script: string,
  env: NodeJS.ProcessEnv,
): Child<Message> => {
  const child: ChildProcess = fork(resolve('bench', script), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    ask: async <Response>(message: Message) => {
      child.send(message)
      const [{ error, response }] = (await once(child, 'message')) as [{ error?: string; response: Response }]
      if (error !== undefined) throw new Error(error)
      return response
    },
    end: () => void child.kill(),
  }
}

/** Responds to the messages of the parent process, and ends with it. */
export const serveParent = <Message>(respond: (message: Message) => Promise<unknown>): void => {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    respond(message).then(
      (value) => process.send?.({ response: value }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    )
  })
}
