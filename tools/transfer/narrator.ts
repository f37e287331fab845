import type { Verdict } from './deliver.ts'
import type { Row } from './row.ts'
import { lineOf, type Tally } from './tally.ts'

/** Where progress is shown: standard error, of which a terminal knows that it is one. */
export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How often progress is shown: in place on a terminal, as a line of its own elsewhere. */
const EVERY_MILLIS = { terminal: 200, plain: 10_000 }
const MOST_REFUSALS = 10
const CLEAR = '\r\u001B[2K'

/** Shows on a screen how an import stands, and the first rows that it cannot record. */
export const narrator = (screen: Screen) => {
  const [every, before, after] = screen.isTTY
    ? [EVERY_MILLIS.terminal, CLEAR, '']
    : [EVERY_MILLIS.plain, '', '\n']
  let shown = performance.now()
  let refusals = 0
  const say = (text: string) => screen.write(`${before}${text}\n`)
  const progress = (tally: Tally): void => {
    if (performance.now() - shown < every) return
    shown = performance.now()
    screen.write(`${before}${lineOf(tally)}${after}`)
  }
  const refused = ({ file, row, type, id }: Row, { outcome, errors }: Verdict): void => {
    refusals += 1
    if (refusals > MOST_REFUSALS) return
    const what = [type, id].filter((each) => each !== null).join(' ')
    say(`${file}, row ${row}${what ? ` (${what})` : ''}: ${outcome}. ${errors.join(' ')}`)
    if (refusals === MOST_REFUSALS) say('More like these are not shown; --report FILE has all of them.')
  }
  /** Tells how many rows are not sent, and why. */
  const surveyed = ({ skipped, unusable }: Tally): void => {
    for (const [what, reasons] of Object.entries({ 'left out': skipped, unusable }))
      for (const [reason, count] of Object.entries(reasons)) say(`${count} ${what}: ${reason}`)
  }
  const ended = (tally: Tally) => say(lineOf(tally))
  return { progress, refused, surveyed, ended }
}
