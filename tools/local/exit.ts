import type { Running } from './engine.ts'

/**
 * Ends this process together with a service: on SIGINT, SIGTERM or a call of the function that it returns, the service
 * is stopped and the exit code is 0; when the engine dies, `message` goes to standard error and the exit code is 1.
 */
export const exitWith = ({ engine, stop }: Running, message: string): (() => void) => {
  let stopping = false
  const stopAndExit = () => {
    // npm forwards the Ctrl-C that the terminal also sends to this process.
    if (stopping) return
    stopping = true
    void stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stopAndExit).on('SIGTERM', stopAndExit)
  void engine?.ended.then(() => {
    if (stopping) return
    console.error(message)
    process.exit(1)
  })
  return stopAndExit
}
