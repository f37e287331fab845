import { capitalised } from '../../../shared/text/capitalised.ts'
import type { Finance } from '../../figures/finance.ts'
import type { CloseQuery } from '../../figures/month-close.ts'
import { type Address, linkTo } from '../../frame/address.ts'
import { useCopy } from '../../frame/copy-context.tsx'
import { useTimeZone } from '../../frame/time-zone.ts'
import { Popover } from '../../parts/popover.tsx'
import { DaysForm, TimeSpanChoice } from '../../parts/time-span-choice.tsx'
import { AmountsPanel } from '../../tables/amounts-panel.tsx'
import { day, monthText, period } from '../../text/dates.ts'
import { counted, money, NO_PLAN_NAME } from '../../text/format.ts'
import { monthsParameter, timeSpanLabel } from '../../text/time-span.ts'

interface MonthCloseProps {
  readonly finance: Finance
  readonly query: Address['query']
  /** The query of the answer, which the CSV of all lines repeats. */
  readonly closeQuery: CloseQuery
}

/** The close of months: revenue as recorded until each was closed, VAT, what is deferred, and what changed closed months. */
export const MonthClose = ({ finance, query, closeQuery }: MonthCloseProps) => {
  const { ask } = useCopy()
  const timeZone = useTimeZone()
  const { close, currency, currentMonth } = finance
  const { months, recordedUntil, closes, taxes, deferred, changes } = close
  const label = timeSpanLabel(months)
  const shown = deferred.lines.length
  const { recorded = '' } = query
  const hrefFor = (chosen: Address['query']) => linkTo(['finance'], { ...query, ...chosen })
  const knownText = (until: number | undefined): string =>
    until === undefined ? 'as known now' : `as recorded until ${day(until, timeZone)}`
  return (
    <>
      <header class="title">
        <h2>Close of a month</h2>
        <div class="chips">
          <TimeSpanChoice
            label="Closed"
            within={monthsParameter(months)}
            currentMonth={currentMonth}
            isOfMonths
            isRequired
            hrefFor={(chosen) => hrefFor({ close: chosen })}
          />
          <nav aria-label="Recorded until">
            <Popover
              title={recordedUntil === undefined ? 'As closed' : capitalised(knownText(recordedUntil))}
              kind="menu"
              buttonClass="drop"
            >
              <a href={hrefFor({ recorded: '' })} aria-current={recorded === '' ? 'true' : undefined}>
                As closed, three days after each month
              </a>
              <DaysForm
                label="Recorded until a day"
                days={{ 'As recorded until': recorded }}
                hrefFor={([chosen = '']) => hrefFor({ recorded: chosen })}
              />
            </Popover>
          </nav>
        </div>
      </header>
      <AmountsPanel
        title="Revenue as closed, net"
        note={
          recordedUntil === undefined
            ? 'as recorded until the third day after each month'
            : knownText(recordedUntil)
        }
        explanation="Opening + billed − recognised − for earlier months = closing, which is deferred − unbilled. A month has what was recorded until it was closed; what was recorded later is in the month in which it was recorded, in “For earlier months”. A month that is not closed has what is known now, or on the chosen day."
        rule="16-months-that-were-closed"
        currency={currency}
        rows={closes}
        texts={{
          Month: ({ name }) => name,
          'As recorded until': ({ closedAt }) =>
            closedAt === undefined ? 'not closed' : day(closedAt, timeZone),
        }}
        amounts={{
          Opening: ({ opening }) => opening,
          Billed: ({ billed }) => billed,
          Recognised: ({ recognised }) => recognised,
          'For earlier months': ({ forEarlierMonths }) => forEarlierMonths,
          Deferred: (row) => row.deferred,
          Unbilled: ({ unbilled }) => unbilled,
        }}
        hrefOf={({ name }) => hrefFor({ close: name })}
        empty={
          recordedUntil === undefined ? 'There are no months yet.' : 'Nothing was recorded until that day.'
        }
      />
      <AmountsPanel
        title={`VAT by ${query.by || 'country'} and rate, ${label}`}
        note={knownText(recordedUntil)}
        explanation="The lines of the invoices created in this time. The rate is tax ÷ net, to the nearest half percent where that explains the tax to a cent. Credit notes are included, and their part of the total has a column of its own."
        rule="17-vat-by-country-and-rate"
        currency={currency}
        rows={taxes}
        texts={{ [query.by || 'Country']: ({ segment }) => segment, Rate: ({ rate }) => rate }}
        amounts={{
          Net: ({ net }) => net,
          Tax: ({ tax }) => tax,
          Total: ({ total }) => total,
          'Of it credit notes': ({ creditNotes }) => creditNotes,
        }}
        empty="There are no invoices in this time."
      />
      <AmountsPanel
        title={`Lines behind the deferred revenue, end of ${label}`}
        note={`${knownText(deferred.recordedUntil)}: ${counted(deferred.count, 'line')}, deferred ${money(deferred.deferred, currency)}, unbilled ${money(deferred.unbilled, currency)}${shown < deferred.count ? `; the ${shown} largest` : ''}`}
        explanation="The lines of which something is deferred or unbilled at the end of this time, as recorded until the month was closed, or as known now if it was not, unless a day is chosen. CSV has all of them."
        rule="18-the-lines-behind-deferred-revenue"
        currency={currency}
        rows={deferred.lines}
        texts={{
          Customer: ({ customer }) => customer,
          Plan: ({ plan }) => plan.name ?? NO_PLAN_NAME,
          Period: ({ start, end }) => period(start, end, timeZone),
        }}
        amounts={{
          Net: ({ net }) => net,
          Recognised: ({ recognised }) => recognised,
          Deferred: (line) => line.deferred,
          Unbilled: ({ unbilled }) => unbilled,
        }}
        hrefOf={({ invoice_id }) => linkTo(['invoices', invoice_id])}
        csvContent={(form) => ask('closeCsv', { ...closeQuery, table: 'deferred', form })}
        empty="Nothing is deferred."
      />
      <AmountsPanel
        title="Changes to closed months"
        note={`${knownText(recordedUntil)}: ${counted(changes.count, 'change')}${changes.rows.length < changes.count ? `; the ${changes.rows.length} of the latest months` : ''}`}
        explanation="The invoices that were recorded after a month was closed, with what they recognise for it. The month as closed does not change. CSV has all of them."
        rule="16-months-that-were-closed"
        currency={currency}
        rows={changes.rows}
        texts={{
          Month: ({ month }) => monthText(month),
          Customer: ({ customer }) => customer,
          Recorded: ({ recorded }) => day(recorded, timeZone),
        }}
        amounts={{
          'Net of the invoice': ({ net }) => net,
          'Recognised for the month': ({ recognised }) => recognised,
        }}
        hrefOf={({ invoice_id }) => linkTo(['invoices', invoice_id])}
        csvContent={(form) => ask('closeCsv', { ...closeQuery, table: 'changes', form })}
        empty="Nothing was recorded after a month was closed."
      />
    </>
  )
}
