import type { Answer } from '../../copy/local-copy.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useAnswer, useCopy } from '../../frame/copied.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { CsvButton } from '../../parts/csv-button.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { When } from '../../parts/when.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { beginning, counted, day, money, period } from '../../text/format.ts'
import { timeSpanFrom, timeSpanWords } from '../../text/time-span.ts'
import { UTC } from '../../text/time-zone.ts'
import './document.css'

type Statement = NonNullable<Answer<'statement'>>

/** Returns the days that a statement is about: those asked for or, of all time, those of its invoices. */
const spanWords = ({ first, last }: Statement, within: string, timeZone: string): string => {
  const span = timeSpanFrom(within)
  if (span) return timeSpanWords(span)
  return first === undefined || last === undefined ? 'None' : period(first, last, timeZone)
}

const Paper = ({ statement, within }: { readonly statement: Statement; readonly within: string }) => {
  const { applicationName } = useSession()
  const timeZone = useTimeZone()
  const { name, email, externalId, columns, rows, sums } = statement
  return (
    <article class="card paper statement">
      <dl class="facts">
        <div>
          <dt>From</dt>
          <dd>
            <bdi>{applicationName}</bdi>
          </dd>
        </div>
        <div>
          <dt>For</dt>
          <dd>
            <bdi>{beginning(name, 120)}</bdi>
            {email && (
              <>
                <br />
                <bdi>{beginning(email, 330)}</bdi>
              </>
            )}
          </dd>
        </div>
        {externalId && (
          <div>
            <dt>Customer</dt>
            <dd>
              <bdi>{beginning(externalId, 80)}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Invoices</dt>
          <dd>{spanWords(statement, within, timeZone)}</dd>
        </div>
        <div>
          <dt>As of</dt>
          <dd>{day(Date.now() / 1000, timeZone)}</dd>
        </div>
        {timeZone !== UTC && (
          <div>
            <dt>Dates in</dt>
            <dd>{timeZone}</dd>
          </div>
        )}
      </dl>
      {rows.length > 0 ? (
        <RowsTable label="Invoices" columns={columns} rows={rows} noun="invoice" sums={sums} />
      ) : (
        <p class="empty">No invoices in this time.</p>
      )}
      <dl class="total">
        {sums.map(({ currency, count, amounts }) => (
          <div key={currency} class="big">
            <dt>{`Total of ${counted(count, 'invoice')}, with tax`}</dt>
            <dd>{money(amounts.total ?? 0, currency)}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

interface StatementViewProps {
  readonly id: string
  readonly query: Address['query']
}

/** A statement of account that can be printed and sent: the invoices of a customer in a span of time, and their sums. */
export const StatementView = ({ id, query }: StatementViewProps) => {
  const { ask } = useCopy()
  const { within = '' } = query
  const asked = { id, within }
  const { answer, error } = useAnswer('statement', asked)
  return (
    <main>
      <header class="title">
        <Heading kind="Statement of account" name={answer?.name ?? ''} isDocument />
        {answer && (
          <div class="chips">
            <When
              label="Invoices of"
              within={within}
              running={answer.running}
              hrefFor={(chosen) => linkTo(['customers', id, 'statement'], { within: chosen })}
            />
            <CsvButton
              title="Statement"
              fileName={`statement-${answer.externalId ?? answer.id}-${within || 'all'}`}
              content={() => ask('statementCsv', asked)}
            />
            <button type="button" onClick={() => print()}>
              Print
            </button>
          </div>
        )}
      </header>
      {error !== undefined && <Problem error={error} />}
      {answer && <Paper statement={answer} within={within} />}
    </main>
  )
}
