import type { Stoppable } from './engine.ts'

/**
 * On SIGINT, SIGTERM or a call of the returned function, stops the service and exits with 0. When the engine
 * ends by itself, prints that after the `name` of the program, and exits with 1.
 */
export const exitWith = ({ engine, stop }: Stoppable, name: string): (() => void) => {
  let stopping = false
  const stopAndExit = () => {
    // After Ctrl-C, the terminal and npm both send a signal.
    if (stopping) return
    stopping = true
    void stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stopAndExit).on('SIGTERM', stopAndExit)
  void engine?.ended.then(() => {
    if (stopping) return
    console.error(`${name}: the DynamoDB engine has stopped`)
    process.exit(1)
  })
  return stopAndExit
}
