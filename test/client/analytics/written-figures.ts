import {
  averageRevenue,
  type BySegment,
  billedBySegment,
  changesToClosedMonths,
  cohortAverages,
  cohortsByQuarter,
  coverageOf,
  customerChurn,
  customerCohorts,
  customersByMonth,
  deferredLines,
  deferredSchedule,
  departuresOf,
  discountsByMonth,
  expectedRenewals,
  explainedMovementsOf,
  type FigureOptions,
  grossChurn,
  type Invoice,
  type MovementKind,
  monthName,
  movementSums,
  movementsByMonth,
  movementsByPlan,
  movementsBySegment,
  netRetention,
  planGrowth,
  quickRatio,
  recurringByMonth,
  retentionOver,
  revenueByClosedMonth,
  revenueByMonth,
  revenueCohorts,
  type Segmented,
  segmentsBy,
  taxByMonth,
  taxByQuarter,
  trialsByMonth,
} from '../../../client/analytics/index.ts'
import { type ExpectedFigures, isTime, type TableRow } from './documented-figures.ts'
import { seconds } from './invoices.ts'

/** A history as seen at a time, and the rows that a document states for it. */
interface Seen {
  readonly invoices: readonly Invoice[]
  readonly now: number
  /** The time zone, and the segments by country. */
  readonly options: FigureOptions & BySegment
  readonly documented: readonly TableRow[]
}

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)
const decimals = (amounts: Readonly<Record<string, number>>): TableRow =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, decimal(amount)]))
const percent = (share: number | null): string => (share === null ? '–' : `${share * 100} %`)
const roundedPercent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 10_000) / 100} %`
const dayOf = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10)

export const movementKinds: readonly MovementKind[] = [
  'new',
  'reactivation',
  'expansion',
  'contraction',
  'churn',
]

/** Returns the counts of the coverage that are not 0 as the documents write them, such as "1 emptyPeriods". */
export const reportedCounts = (
  invoices: readonly Invoice[],
  { now, timeZone }: Pick<ExpectedFigures, 'now' | 'timeZone'>,
): string => {
  const { invoices: _all, recordedUntil, complete, ...counts } = coverageOf(invoices, now, timeZone)
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** Returns what the documents write before an amount: nothing for euros. */
const prefixOf = (currency: string): string => (currency === 'EUR' ? '' : `${currency} `)

/** Returns the recurring revenue and its customers as the documents write them: euros first, other currencies with their code. */
const revenueRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const movements = movementsByMonth(invoices, now, options)
  return customersByMonth(invoices, now, options).map((customers, index) => {
    const ends = movements.map(
      ({ currency, months }) => `${prefixOf(currency)}${decimal(months[index]!.end)}`,
    )
    const movementTexts = movements.flatMap(({ currency, months }) =>
      movementKinds
        .filter((kind) => months[index]![kind] !== 0)
        .map((kind) => `${prefixOf(currency)}${kind} ${decimal(months[index]![kind])}`),
    )
    const euros = movements[0]!.months[index]!
    return {
      month: customers.name,
      // Only the first currency is written when it is zero.
      recurring: ends.filter((text, place) => place === 0 || !text.endsWith(' 0.00')).join('; '),
      movements: movementTexts.join('; '),
      customers: (['new', 'reactivated', 'lost'] as const)
        .filter((kind) => customers[kind] !== 0)
        .map((kind) => `${customers[kind]} ${kind}`)
        .join('; '),
      'customer churn': percent(customerChurn(customers)),
      'gross revenue churn': percent(grossChurn(euros)),
      'net retention': percent(netRetention(euros)),
      average: decimal(averageRevenue(euros) ?? 0),
    }
  })
}

/** Returns the revenue of the first currency. */
const recognitionRows = ({ invoices, now, options }: Seen): TableRow[] =>
  revenueByMonth(invoices, now, options)[0]!.months.map(({ month: _, name, ...amounts }) => ({
    month: name,
    ...decimals(amounts),
  }))

/** Returns the months in which the deferred revenue of the first currency will be recognised. */
const scheduleRows = ({ invoices, now, options }: Seen): TableRow[] =>
  deferredSchedule(invoices, now, options)[0]!.months.map(({ name, recognised }) => ({
    month: name,
    scheduled: decimal(recognised),
  }))

const cohortRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const revenue = revenueCohorts(invoices, now, options)
  return customerCohorts(invoices, now, options).map(({ month, active }) => ({
    cohort: monthName(month),
    active: active.join(', '),
    recurring: revenue
      .flatMap(({ currency, cohorts }) =>
        cohorts
          .filter((cohort) => cohort.month === month)
          .map(({ recurring }) => `${prefixOf(currency)}${recurring.map(decimal).join(', ')}`),
      )
      .join('; '),
  }))
}

/** Returns why the recurring revenue of each customer changed, by customer, without the months in which one is lost. */
const reasonRows = ({ invoices, now, options }: Seen): TableRow[] =>
  explainedMovementsOf(invoices, now, options)
    .filter(({ kind }) => kind !== 'churn')
    .toSorted((a, b) => a.customer_id.localeCompare(b.customer_id))
    .map(({ month, customer_id, after, reasons }) => ({
      month: monthName(month),
      customer: customer_id,
      after: decimal(after),
      reason:
        reasons
          .map(({ kind, before: from, after: to }) =>
            from === null && to === null ? kind : `${kind} ${from ?? '–'} → ${to ?? '–'}`,
          )
          .join('; ') || '–',
    }))

/** Returns the recurring revenue of each customer of a table of lines, at the end of a month or on a date, by the columns. */
const customerRows = ({ invoices, now, options, documented }: Seen): TableRow[] => {
  const times = Object.keys(documented[0]!).filter(isTime)
  const movementsOn = new Map(
    times.map((time) => {
      const isMonth = time.length === 'YYYY-MM'.length
      const movements = explainedMovementsOf(invoices, isMonth ? now : seconds(time), options)
      return [time, movements.filter(({ month }) => !isMonth || monthName(month) <= time)]
    }),
  )
  return documented.map(({ customer = '' }) => {
    const revenueAt = (time: string) =>
      movementsOn.get(time)!.findLast(({ customer_id }) => customer_id === customer)?.after ?? 0
    return { customer, ...Object.fromEntries(times.map((time) => [time, decimal(revenueAt(time))])) }
  })
}

/** Returns the rates of twelve months. */
const retentionRows = ({ invoices, now, options }: Seen): TableRow[] =>
  retentionOver(invoices, now, options).map(({ since, start, kept, lost, ...rates }) => ({
    since: monthName(since),
    ...decimals({ before: start, now: kept, lost }),
    'revenue churn': percent(rates.grossChurn),
    'net retention': percent(rates.netRetention),
  }))

/** Returns the movements of the segments, with what was billed to them, in the months of the results together. */
const segmentRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const billed = billedBySegment(invoices, now, options)
  return movementsBySegment(invoices, now, options).map(({ currency, segment, months }) => {
    const rows = billed.find((ranking) => ranking.currency === currency)?.rows ?? []
    const { amount = 0 } = rows.find(({ key }) => key === segment) ?? {}
    return { segment, ...decimals({ ...movementSums(months), billed: amount }) }
  })
}

/** Returns the revenue of the first currency as months were closed. */
const closedRows = ({ invoices, now, options }: Seen): TableRow[] =>
  revenueByClosedMonth(invoices, now, options)[0]!.months.map(
    ({ name, opening, billed, recognised, forEarlierMonths, closing, closedAt }) => ({
      month: name,
      ...decimals({ opening, billed, recognised, 'for earlier months': forEarlierMonths, closing }),
      state: closedAt === undefined ? 'open' : 'closed',
    }),
  )

/** Returns what later records changed in closed months, with the net of each invoice, and what it recognises for the month. */
const changeRows = ({ invoices, now, options }: Seen): TableRow[] =>
  changesToClosedMonths(invoices, now, options).map((changes) => ({
    'closed month': changes.name,
    'recurring by': decimal(changes.recurring),
    'recognised by': decimal(changes.recognised),
    invoices: changes.invoices
      .map(({ recorded, net, recognised }) => `${dayOf(recorded)}: ${decimal(recognised)} of ${decimal(net)}`)
      .join('; '),
  }))

/** Returns what the first currency has deferred and unbilled at the end of each month, by line. */
const deferredRows = ({ invoices, now, options }: Seen): TableRow[] =>
  revenueByMonth(invoices, now, options)[0]!.months.flatMap(({ month, name }) =>
    deferredLines(invoices, now, { ...options, month }).map(
      ({ plan, net, recognised, deferred, unbilled }) => ({
        'end of': name,
        plan: plan.name ?? '–',
        ...decimals({ worth: net, 'recognised of it': recognised, deferred, unbilled }),
      }),
    ),
  )

const rateText = (rate: number | null): string =>
  rate === null ? 'unknown' : `${Math.round(rate * 1000) / 10} %`

/** Returns the taxes by country and rate, by month or, if the documented table has quarters, by quarter. */
const taxRows = ({ invoices, now, options, documented }: Seen): TableRow[] => {
  const isByQuarter = documented[0]!.period!.includes('Q')
  return (isByQuarter ? taxByQuarter : taxByMonth)(invoices, now, options).map((record) => ({
    period: record.name,
    country: record.segment,
    rate: rateText(record.rate),
    invoices: String(record.invoices.count),
    'credit notes': String(record.creditNotes.count),
    ...decimals({
      credited: record.creditNotes.net,
      net: record.net,
      tax: record.tax,
      total: record.total,
    }),
  }))
}

/** Returns the first expected renewals, with the day on which each is due. */
const renewalRows = ({ invoices, now, options, documented }: Seen): TableRow[] =>
  expectedRenewals(invoices, now, options)
    .slice(0, documented.length)
    .map(({ currency, due, amount, plans }) => ({
      due: dayOf(due),
      plans: plans.map(({ name }) => name ?? '–').join(' + '),
      expected: `${prefixOf(currency)}${decimal(amount)}`,
    }))

const trialRows = ({ invoices, now, options }: Seen): TableRow[] =>
  trialsByMonth(invoices, now, options).map(({ name, ended, converted, conversion }) => ({
    month: name,
    'trials ended': String(ended),
    converted: String(converted),
    conversion: roundedPercent(conversion),
  }))

/** Returns the movements of the plans in the months in which they have any. */
const planMovementRows = ({ invoices, now, options }: Seen): TableRow[] =>
  movementsByPlan(invoices, now, options).flatMap(({ plan, months }) =>
    months
      .filter((month) => movementKinds.some((kind) => month[kind] !== 0))
      .map(({ month: _, name, ...amounts }) => ({
        month: name,
        'plan that moves': plan.name ?? '–',
        ...decimals(amounts),
      })),
  )

/** Returns the quick ratio and the discounts of the first currency. */
const ratioRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const { months } = movementsByMonth(invoices, now, options)[0]!
  return discountsByMonth(invoices, now, options)[0]!.months.map(
    ({ name, amount, discount, share }, index) => ({
      month: name,
      'quick ratio': quickRatio(months[index]!)?.toFixed(2) ?? '–',
      ...decimals({ 'before discount': amount, discount }),
      share: roundedPercent(share),
    }),
  )
}

const departureRows = ({ invoices, now, options }: Seen): TableRow[] =>
  departuresOf(invoices, now, options).map((departure) => ({
    'lost in': monthName(departure.month),
    customer: departure.customer_id,
    had: departure.plans.map(({ name, amount }) => `${name} ${decimal(amount)}`).join(' + '),
    since: monthName(departure.since),
    months: String(departure.tenure),
    why: departure.reason,
    reactivated: departure.back === null ? '–' : monthName(departure.back),
  }))

/** Returns the growth of the plans of the first currency since the end of the first month. */
const growthRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const { months } = recurringByMonth(invoices, now, options)[0]!
  return planGrowth(months[0], months.at(-1)!).map(({ name, start, end }) => ({
    'plan that grows': name ?? '',
    ...decimals({ 'end of the first month': start, now: end, growth: end - start }),
  }))
}

/** Returns the cohorts of quarters, and the average of their shares, as the last row. */
const quarterRows = ({ invoices, now, options }: Seen): TableRow[] => {
  const cohorts = customerCohorts(invoices, now, options).map(({ month, active }) => ({
    month,
    values: active,
  }))
  const currentMonth = customersByMonth(invoices, now, options).at(-1)!.month
  const quarters = cohortsByQuarter(cohorts, currentMonth)
  const shares = cohortAverages(quarters).map(({ share }) => percent(share))
  return [
    ...quarters.map(({ month, values }) => ({ quarter: monthName(month), active: values.join(', ') })),
    { quarter: 'share', active: shares.join(', ') },
  ]
}

/** The rows of each kind of table, by a column that the kinds below it do not have. */
const kindsOfTables: Readonly<Record<string, (seen: Seen) => TableRow[]>> = {
  due: renewalRows,
  'end of': deferredRows,
  rate: taxRows,
  opening: closedRows,
  'closed month': changeRows,
  segment: segmentRows,
  growth: growthRows,
  quarter: quarterRows,
  'lost in': departureRows,
  'trials ended': trialRows,
  'plan that moves': planMovementRows,
  'quick ratio': ratioRows,
  since: retentionRows,
  reason: reasonRows,
  cohort: cohortRows,
  scheduled: scheduleRows,
  billed: recognitionRows,
}

/** Returns the figures of invoices as rows of a document's table, with its columns. Throws Error if they do not have one. */
export const rowsLike = (
  invoices: readonly Invoice[],
  { now, timeZone, rows }: ExpectedFigures,
  customers: readonly Segmented[] = [],
): Record<string, string | undefined>[] => {
  const columns = Object.keys(rows[0]!)
  const kind = Object.keys(kindsOfTables).find((column) => columns.includes(column))
  const rowsOf = columns.some(isTime) ? customerRows : (kindsOfTables[kind ?? ''] ?? revenueRows)
  const options = { timeZone, segmentOf: segmentsBy(customers, 'country') }
  return rowsOf({ invoices, now, options, documented: rows }).map((row) => {
    const unknown = columns.find((name) => !(name in row))
    if (unknown !== undefined)
      throw new Error(`no rows of kindsOfTables in written-figures.ts have the column "${unknown}"`)
    return Object.fromEntries(columns.map((name) => [name, row[name]]))
  })
}
