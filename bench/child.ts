import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

/** A process that runs a script of this folder and responds to messages, one at a time. */
export interface Child<Message> {
  /** Throws the error in a script's message. */
  ask<Answer>(message: Message): Promise<Answer>
  end(): void
}

/** Starts a script in a process with this environment. What it prints is discarded. */
export const startChild = <Message extends string | object>(
  script: string,
  env: NodeJS.ProcessEnv,
): Child<Message> => {
  const child: ChildProcess = fork(resolve('bench', script), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    ask: async <Answer>(message: Message) => {
      child.send(message)
      const [{ error, answer }] = (await once(child, 'message')) as [{ error?: string; answer: Answer }]
      if (error !== undefined) throw new Error(error)
      return answer
    },
    end: () => void child.kill(),
  }
}

/** Responds to the messages of the parent process, and ends with it. */
export const answerParent = <Message>(answer: (message: Message) => Promise<unknown>): void => {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    answer(message).then(
      (value) => process.send?.({ answer: value }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    )
  })
}
