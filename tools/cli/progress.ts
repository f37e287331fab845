import { printable } from './printable.ts'

/** Such as standard error. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const PERIOD_MILLIS = { terminal: 200, file: 5_000 } as const
const CLEAR_LINE = '\r\x1b[K'

export type ShowProgress = (message: string) => void

/** On a terminal in one line that is overwritten, elsewhere in occasional lines. */
export const progressDisplay = (screen: Screen = process.stderr) => {
  const period = screen.isTTY ? PERIOD_MILLIS.terminal : PERIOD_MILLIS.file
  let lastShown = performance.now()
  let isLineShown = false
  const clear = () => {
    if (isLineShown && screen.isTTY) screen.write(CLEAR_LINE)
    isLineShown = false
  }
  return {
    /** Drops a message that follows another too soon. A function is called only if its message is shown. */
    show: (message: string | (() => string)): void => {
      if (performance.now() - lastShown < period) return
      lastShown = performance.now()
      clear()
      isLineShown = true
      const text = typeof message === 'string' ? message : message()
      screen.write(screen.isTTY ? text : `${text}\n`)
    },
    /** A line that stays, in place of the message. */
    line: (text: string): void => {
      clear()
      screen.write(`${printable(text)}\n`)
    },
    end: clear,
  }
}
