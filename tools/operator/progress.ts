/** Where a command shows its progress: standard error, which knows whether it is a terminal. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const PERIOD_MILLIS = { terminal: 200, file: 5_000 } as const
const CLEAR_LINE = '\r\x1b[K'

/** Takes how far a long operation is. */
export type Tell = (state: string) => void

/** Shows how far a long operation is: on a terminal in one line that is rewritten, elsewhere in a line now and then. */
export const progress = (screen: Screen = process.stderr) => {
  const period = screen.isTTY ? PERIOD_MILLIS.terminal : PERIOD_MILLIS.file
  let last = performance.now()
  let isShown = false
  const clear = () => {
    if (isShown && screen.isTTY) screen.write(CLEAR_LINE)
    isShown = false
  }
  return {
    /** Shows the state if the last one has been shown for long enough. */
    tell: (state: string | (() => string)): void => {
      if (performance.now() - last < period) return
      last = performance.now()
      clear()
      isShown = true
      const text = typeof state === 'string' ? state : state()
      screen.write(screen.isTTY ? text : `${text}\n`)
    },
    /** Writes a line that stays. */
    line: (text: string): void => {
      clear()
      screen.write(`${text}\n`)
    },
    end: clear,
  }
}
