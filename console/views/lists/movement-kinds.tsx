import { movementColours } from '../../charts/overview-charts.tsx'
import type { KindSums } from '../../lists/movements.ts'
import { Key } from '../../plot/read-out.tsx'
import { changeText, number, signedMoney } from '../../text/format.ts'

interface MovementKindsProps {
  readonly kinds: readonly KindSums[]
  /** The chosen kind; empty for all. */
  readonly chosen: string
  readonly hrefFor: (kind: string) => string
}

/** The kinds of movements with their numbers and sums, of which one is chosen. */
export const MovementKinds = ({ kinds, chosen, hrefFor }: MovementKindsProps) => (
  <nav class="scroll kinds" aria-label="Kind of movement">
    {kinds.map(({ kind, count, amounts }) => (
      <a key={kind} href={hrefFor(kind ?? '')} aria-current={(kind ?? '') === chosen ? 'true' : undefined}>
        <small>
          {kind && <Key colour={movementColours[kind]} />}
          {`${kind ? changeText(kind) : 'Net change'} · ${number(count)}`}
        </small>
        <b>{amounts.map(({ amount, currency }) => signedMoney(amount, currency)).join(', ') || '–'}</b>
      </a>
    ))}
  </nav>
)
