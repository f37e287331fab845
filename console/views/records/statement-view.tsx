import type { Answer } from '../../copy/answers.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useAnswer, useCopy } from '../../frame/copy-context.tsx'
import { useSession } from '../../frame/session.ts'
import { useTimeZone } from '../../frame/time-zone.ts'
import { CsvButton } from '../../parts/csv-button.tsx'
import { DescribedTerm } from '../../parts/described-term.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { TimeSpanChoice } from '../../parts/time-span-choice.tsx'
import { ListTable } from '../../tables/list-table.tsx'
import { day, period } from '../../text/dates.ts'
import { beginning } from '../../text/format.ts'
import { timeSpanFrom, timeSpanLabel } from '../../text/time-span.ts'
import { UTC } from '../../text/time-zone.ts'
import './document.css'

type Statement = NonNullable<Answer<'statement'>>

interface StatementProps {
  readonly statement: Statement
  /** The time span of the statement, as in the address; empty for all time. */
  readonly within: string
}

/** The days of a statement: those of the time span or, for all time, the days of its first and last invoice. */
const daysText = ({ statement: { first, last }, within }: StatementProps, timeZone: string): string => {
  const span = timeSpanFrom(within)
  if (span) return timeSpanLabel(span)
  return first === undefined || last === undefined ? 'None' : period(first, last, timeZone)
}

const StatementFacts = (props: StatementProps) => {
  const { applicationName } = useSession()
  const timeZone = useTimeZone()
  const { name, email, externalId } = props.statement
  return (
    <dl class="parties">
      <DescribedTerm term="From">
        <bdi>{applicationName}</bdi>
      </DescribedTerm>
      <DescribedTerm term="For">
        <bdi>{beginning(name, 120)}</bdi>
        {email && (
          <>
            <br />
            <bdi>{beginning(email, 330)}</bdi>
          </>
        )}
      </DescribedTerm>
      {externalId && (
        <DescribedTerm term="Customer">
          <bdi>{beginning(externalId, 80)}</bdi>
        </DescribedTerm>
      )}
      <DescribedTerm term="Invoices">{daysText(props, timeZone)}</DescribedTerm>
      <DescribedTerm term="As of">{day(Date.now() / 1000, timeZone)}</DescribedTerm>
      {timeZone !== UTC && <DescribedTerm term="Dates in">{timeZone}</DescribedTerm>}
    </dl>
  )
}

const StatementDocument = (props: StatementProps) => {
  const { columns, rows, sums } = props.statement
  return (
    <article class="card paper statement">
      <StatementFacts {...props} />
      {rows.length > 0 ? (
        <ListTable label="Invoices" columns={columns} rows={rows} noun="invoice" sums={sums} />
      ) : (
        <p class="empty">There are no invoices in this time.</p>
      )}
      <p class="note">Amounts are those of the invoices. Payments are not recorded here.</p>
    </article>
  )
}

interface StatementViewProps {
  readonly id: string
  readonly query: Address['query']
}

/** A statement of invoices that can be printed and sent: the invoices of a customer in a time span, and their sums. */
export const StatementView = ({ id, query }: StatementViewProps) => {
  const { ask } = useCopy()
  const { within = '' } = query
  const statementQuery = { id, within }
  const { answer: statement, error } = useAnswer('statement', statementQuery)
  return (
    <main>
      <header class="title">
        <Heading kind="Statement of invoices" name={statement?.name ?? ''} isDocument />
        {statement && (
          <div class="chips">
            <TimeSpanChoice
              label="Created"
              within={within}
              currentMonth={statement.currentMonth}
              hrefFor={(chosen) => linkTo(['customers', id, 'statement'], { within: chosen })}
            />
            <CsvButton
              title="Statement"
              fileName={`statement-${statement.externalId ?? statement.id}-${within || 'all'}`}
              content={(form) => ask('statementCsv', { ...statementQuery, form })}
            />
            <button type="button" onClick={() => print()}>
              Print
            </button>
          </div>
        )}
      </header>
      {error !== undefined && <Problem error={error} />}
      {statement && <StatementDocument statement={statement} within={within} />}
    </main>
  )
}
