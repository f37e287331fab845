import { setTimeout as pause } from 'node:timers/promises'
import { printable } from './printable.ts'

/** Where a command shows its progress, such as standard error. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const PERIOD_MILLIS = { terminal: 200, file: 5_000 } as const
const CLEAR_LINE = '\r\x1b[K'

/** Receives progress messages. */
export type ShowProgress = (state: string) => void

/** Shows the progress of a long operation: on a terminal in one line that is overwritten, elsewhere in occasional lines. */
export const progress = (screen: Screen = process.stderr) => {
  const period = screen.isTTY ? PERIOD_MILLIS.terminal : PERIOD_MILLIS.file
  let last = performance.now()
  let isShown = false
  const clear = () => {
    if (isShown && screen.isTTY) screen.write(CLEAR_LINE)
    isShown = false
  }
  return {
    /** Shows a message, unless the previous one was shown too recently. */
    show: (state: string | (() => string)): void => {
      if (performance.now() - last < period) return
      last = performance.now()
      clear()
      isShown = true
      const text = typeof state === 'string' ? state : state()
      screen.write(screen.isTTY ? text : `${text}\n`)
    },
    line: (text: string): void => {
      clear()
      screen.write(`${printable(text)}\n`)
    },
    end: clear,
  }
}

/** How a command waits. */
export interface Waiting {
  readonly show: ShowProgress
  /** Waits for some milliseconds. By default a timer, which does not depend on the clock. */
  readonly wait?: ((millis: number) => Promise<unknown>) | undefined
  /** See `CommandDatabase`. */
  readonly requestMillis?: number | undefined
}

/** Waits for some milliseconds. Each second, it shows `label` and the remaining seconds. */
export const countDown = async (
  millis: number,
  label: string,
  { show, wait = pause }: Waiting,
): Promise<void> => {
  for (let left = millis; left > 0; left -= 1_000) {
    show(`${label} ${left / 1_000} s`)
    await wait(Math.min(left, 1_000))
  }
}
