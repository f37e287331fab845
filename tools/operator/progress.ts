/** Where a command says how far it is. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const PERIOD_MILLIS = { terminal: 200, file: 5_000 } as const

/** Tells how far a long work is. */
export type Tell = (state: string) => void

/** Says from time to time how a long work stands: at a terminal in one line that changes, elsewhere in a line each. */
export const progress = (screen: Screen = process.stderr): { readonly tell: Tell; end(): void } => {
  const period = screen.isTTY ? PERIOD_MILLIS.terminal : PERIOD_MILLIS.file
  let last = performance.now()
  let shown = false
  const tell = (state: string) => {
    if (performance.now() - last < period) return
    last = performance.now()
    shown = true
    screen.write(screen.isTTY ? `\r\x1b[K${state}` : `${state}\n`)
  }
  const end = () => {
    if (shown && screen.isTTY) screen.write('\r\x1b[K')
  }
  return { tell, end }
}
