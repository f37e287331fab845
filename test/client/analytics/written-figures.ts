import {
  averageRevenue,
  billedBySegment,
  type CurrencyMonths,
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
  type RevenueMonth,
  recurringByMonth,
  retentionOver,
  revenueByClosedMonth,
  revenueByMonth,
  revenueCohorts,
  type ScheduledMonth,
  type Segmented,
  segmentsBy,
  taxByMonth,
  taxByQuarter,
  trialsByMonth,
} from '../../../client/analytics/index.ts'
import { type ExpectedFigures, isTime, type TableRow } from './documented-figures.ts'
import { seconds } from './invoices.ts'

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)
const percent = (share: number | null): string => (share === null ? '–' : `${share * 100} %`)

const movementKinds: readonly MovementKind[] = ['new', 'reactivation', 'expansion', 'contraction', 'churn']

type TimeAndZone = Pick<ExpectedFigures, 'now' | 'timeZone'>

/** Returns the counts of the coverage that are not 0 as the documents write them, such as "1 emptyPeriods". */
export const reportedCounts = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): string => {
  const { invoices: _all, recordedUntil, complete, ...counts } = coverageOf(invoices, now, timeZone)
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** Returns what the documents write before an amount: nothing for euros. */
const prefixOf = (currency: string): string => (currency === 'EUR' ? '' : `${currency} `)

/** Returns the recurring revenue and its customers as the documents write them: euros first, other currencies with their code. */
const revenueRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const recurring = recurringByMonth(invoices, now, timeZone)
  const movements = movementsByMonth(invoices, now, timeZone)
  return customersByMonth(invoices, now, timeZone).map((customers, index) => {
    const totals = recurring.map(
      ({ currency, months }) => `${prefixOf(currency)}${decimal(months[index]!.total)}`,
    )
    const movementTexts = movements.flatMap(({ currency, months }) =>
      movementKinds
        .filter((kind) => months[index]![kind] !== 0)
        .map((kind) => `${prefixOf(currency)}${kind} ${decimal(months[index]![kind])}`),
    )
    const customerChanges = [
      { count: customers.new, word: 'new' },
      { count: customers.reactivated, word: 'reactivated' },
      { count: customers.lost, word: 'lost' },
    ]
    const euros = movements[0]!.months[index]!
    return {
      month: customers.name,
      // Only the first currency is written when it is zero.
      recurring: totals.filter((text, place) => place === 0 || !text.endsWith(' 0.00')).join('; '),
      movements: movementTexts.join('; '),
      customers: customerChanges
        .filter(({ count }) => count !== 0)
        .map(({ count, word }) => `${count} ${word}`)
        .join('; '),
      'customer churn': percent(customerChurn(customers)),
      'gross revenue churn': percent(grossChurn(euros)),
      'net retention': percent(netRetention(euros)),
      average: decimal(averageRevenue(euros) ?? 0),
    }
  })
}

/** Returns the amounts of the months of the first currency, by the names of their fields. */
const amountRows = ([first]: readonly CurrencyMonths<RevenueMonth | ScheduledMonth>[]): TableRow[] =>
  first!.months.map(({ month: _number, name, ...amounts }) => ({
    month: name,
    ...Object.fromEntries(Object.entries(amounts).map(([field, amount]) => [field, decimal(amount)])),
  }))

const cohortRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const revenue = revenueCohorts(invoices, now, timeZone)
  return customerCohorts(invoices, now, timeZone).map(({ month, active }) => ({
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
const reasonRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  explainedMovementsOf(invoices, now, timeZone)
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
const customerRows = (
  invoices: readonly Invoice[],
  { now, timeZone, rows }: ExpectedFigures,
  times: readonly string[],
): TableRow[] => {
  const movementsOn = new Map(
    times.map((time) => {
      const isMonth = time.length === 'YYYY-MM'.length
      const movements = explainedMovementsOf(invoices, isMonth ? now : seconds(time), timeZone)
      return [time, movements.filter(({ month }) => !isMonth || monthName(month) <= time)]
    }),
  )
  return rows.map(({ customer = '' }) => {
    const revenueAt = (time: string) =>
      movementsOn.get(time)!.findLast(({ customer_id }) => customer_id === customer)?.after ?? 0
    return { customer, ...Object.fromEntries(times.map((time) => [time, decimal(revenueAt(time))])) }
  })
}

/** Returns the rates of twelve months. */
const retentionRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  retentionOver(invoices, now, timeZone).map(({ currency, since, start, kept, lost, ...rates }) => ({
    since: monthName(since),
    currency,
    before: decimal(start),
    now: decimal(kept),
    lost: decimal(lost),
    'revenue churn': percent(rates.grossChurn),
    'net retention': percent(rates.netRetention),
  }))

/** Returns the movements of the segments by country, with what was billed to them, in the months of the results together. */
const segmentRows = (
  invoices: readonly Invoice[],
  { now, timeZone }: TimeAndZone,
  customers: readonly Segmented[],
): TableRow[] => {
  const options = { timeZone, segmentOf: segmentsBy(customers, 'country') }
  const billed = billedBySegment(invoices, now, options)
  return movementsBySegment(invoices, now, options).map(({ currency, segment, months }) => {
    const sums = Object.entries(movementSums(months)).map(([field, amount]) => [field, decimal(amount)])
    const rows = billed.find((ranking) => ranking.currency === currency)?.rows ?? []
    const { amount = 0 } = rows.find(({ key }) => key === segment) ?? {}
    return { segment, currency, billed: decimal(amount), ...Object.fromEntries(sums) }
  })
}

/** Returns the revenue of the first currency as months were closed. */
const closedRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  revenueByClosedMonth(invoices, now, timeZone)[0]!.months.map((record) => ({
    month: record.name,
    opening: decimal(record.opening),
    billed: decimal(record.billed),
    recognised: decimal(record.recognised),
    'for earlier months': decimal(record.forEarlierMonths),
    closing: decimal(record.closing),
    state: record.closedAt === undefined ? 'open' : 'closed',
  }))

/** Returns what later records changed in closed months, with the net of each invoice, and what it recognises for the month. */
const changeRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  changesToClosedMonths(invoices, now, timeZone).map((changes) => ({
    'closed month': changes.name,
    'recurring by': decimal(changes.recurring),
    'recognised by': decimal(changes.recognised),
    invoices: changes.invoices
      .map(({ recorded, net, recognised }) => {
        const date = new Date(recorded * 1000).toISOString().slice(0, 10)
        return `${date}: ${decimal(recognised)} of ${decimal(net)}`
      })
      .join('; '),
  }))

/** Returns what the first currency has deferred and unbilled at the end of each month, by line. */
const deferredRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  revenueByMonth(invoices, now, timeZone)[0]!.months.flatMap(({ month, name }) =>
    deferredLines(invoices, now, { timeZone, month }).map((line) => ({
      'end of': name,
      plan: line.plan.name ?? '–',
      worth: decimal(line.net),
      'recognised of it': decimal(line.recognised),
      deferred: decimal(line.deferred),
      unbilled: decimal(line.unbilled),
    })),
  )

const rateText = (rate: number | null): string =>
  rate === null ? 'unknown' : `${Math.round(rate * 1000) / 10} %`

/** Returns the taxes by country and rate, by month or, if the documented table has quarters, by quarter. */
const taxRows = (
  invoices: readonly Invoice[],
  { now, timeZone, rows }: ExpectedFigures,
  customers: readonly Segmented[],
): TableRow[] => {
  const options = { timeZone, segmentOf: segmentsBy(customers, 'country') }
  const isByQuarter = rows[0]!.period!.includes('Q')
  return (isByQuarter ? taxByQuarter : taxByMonth)(invoices, now, options).map((record) => ({
    period: record.name,
    country: record.segment,
    rate: rateText(record.rate),
    invoices: String(record.invoices.count),
    'credit notes': String(record.creditNotes.count),
    credited: decimal(record.creditNotes.net),
    net: decimal(record.net),
    tax: decimal(record.tax),
    total: `${prefixOf(record.currency)}${decimal(record.total)}`,
  }))
}

/** Returns the expected renewals, with the day on which each is due. */
const renewalRows = (invoices: readonly Invoice[], { now, timeZone, rows }: ExpectedFigures): TableRow[] =>
  expectedRenewals(invoices, now, timeZone)
    .slice(0, rows.length)
    .map(({ currency, due, amount, plans }) => ({
      due: new Date(due * 1000).toISOString().slice(0, 10),
      plans: plans.map(({ name }) => name ?? '–').join(' + '),
      expected: `${prefixOf(currency)}${decimal(amount)}`,
    }))

const roundedPercent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 10_000) / 100} %`

const trialRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  trialsByMonth(invoices, now, timeZone).map(({ name, ended, converted, conversion }) => ({
    month: name,
    'trials ended': String(ended),
    converted: String(converted),
    conversion: roundedPercent(conversion),
  }))

/** Returns the movements of the plans in the months in which they have any. */
const planMovementRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  movementsByPlan(invoices, now, timeZone).flatMap(({ plan, months }) =>
    months
      .map(({ month: _number, name, ...amounts }) => ({ name, amounts: Object.entries(amounts) }))
      .filter(({ amounts }) => amounts.some(([, amount]) => amount !== 0))
      .map(({ name, amounts }) => ({
        month: name,
        'plan that moves': plan.name ?? '–',
        ...Object.fromEntries(amounts.map(([kind, amount]) => [kind, decimal(amount)])),
      })),
  )

/** Returns the quick ratio and the discounts of the first currency. */
const ratioRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const { months } = movementsByMonth(invoices, now, timeZone)[0]!
  return discountsByMonth(invoices, now, timeZone)[0]!.months.map(
    ({ name, amount, discount, share }, index) => ({
      month: name,
      'quick ratio': quickRatio(months[index]!)?.toFixed(2) ?? '–',
      'before discount': decimal(amount),
      discount: decimal(discount),
      share: roundedPercent(share),
    }),
  )
}

const departureRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  departuresOf(invoices, now, timeZone).map((departure) => ({
    'lost in': monthName(departure.month),
    customer: departure.customer_id,
    had: departure.plans.map(({ name, amount }) => `${name} ${decimal(amount)}`).join(' + '),
    since: monthName(departure.since),
    months: String(departure.tenure),
    why: departure.reason,
    reactivated: departure.back === null ? '–' : monthName(departure.back),
  }))

/** Returns the growth of the plans of the first currency since the end of the first month. */
const growthRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const { months } = recurringByMonth(invoices, now, timeZone)[0]!
  return planGrowth(months[0], months.at(-1)!).map(({ name, start, end }) => ({
    'plan that grows': name ?? '',
    'end of the first month': decimal(start),
    now: decimal(end),
    growth: decimal(end - start),
  }))
}

/** Returns the cohorts of quarters, and the average of their shares, as the last row. */
const quarterRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const cohorts = customerCohorts(invoices, now, timeZone).map(({ month, active }) => ({
    month,
    values: active,
  }))
  const currentMonth = customersByMonth(invoices, now, timeZone).at(-1)!.month
  const quarters = cohortsByQuarter(cohorts, currentMonth)
  return [
    ...quarters.map(({ month, values }) => ({ quarter: monthName(month), active: values.join(', ') })),
    {
      quarter: 'share',
      active: cohortAverages(quarters)
        .map(({ share }) => percent(share))
        .join(', '),
    },
  ]
}

/** Returns the months in which the deferred revenue will be recognised. */
const scheduleRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  amountRows(deferredSchedule(invoices, now, timeZone)).map(({ month, recognised }) => ({
    month: month!,
    scheduled: recognised!,
  }))

/** Returns the rows of the kind of table that has the columns of a documented one. */
const allColumnsLike = (
  invoices: readonly Invoice[],
  documented: ExpectedFigures,
  customers: readonly Segmented[],
): TableRow[] => {
  const columns = Object.keys(documented.rows[0]!)
  const times = columns.filter(isTime)
  if (times.length > 0) return customerRows(invoices, documented, times)
  if (columns.includes('due')) return renewalRows(invoices, documented)
  if (columns.includes('end of')) return deferredRows(invoices, documented)
  if (columns.includes('rate')) return taxRows(invoices, documented, customers)
  if (columns.includes('opening')) return closedRows(invoices, documented)
  if (columns.includes('closed month')) return changeRows(invoices, documented)
  if (columns.includes('segment')) return segmentRows(invoices, documented, customers)
  if (columns.includes('growth')) return growthRows(invoices, documented)
  if (columns.includes('quarter')) return quarterRows(invoices, documented)
  if (columns.includes('lost in')) return departureRows(invoices, documented)
  if (columns.includes('trials ended')) return trialRows(invoices, documented)
  if (columns.includes('plan that moves')) return planMovementRows(invoices, documented)
  if (columns.includes('quick ratio')) return ratioRows(invoices, documented)
  if (columns.includes('since')) return retentionRows(invoices, documented)
  if (columns.includes('reason')) return reasonRows(invoices, documented)
  if (columns.includes('cohort')) return cohortRows(invoices, documented)
  if (columns.includes('scheduled')) return scheduleRows(invoices, documented)
  if (columns.includes('billed'))
    return amountRows(revenueByMonth(invoices, documented.now, documented.timeZone))
  return revenueRows(invoices, documented)
}

/** Returns the figures of invoices as rows of a document's table, with its columns. Throws Error if they do not have one. */
export const rowsLike = (
  invoices: readonly Invoice[],
  documented: ExpectedFigures,
  customers: readonly Segmented[] = [],
): Record<string, string | undefined>[] => {
  const columns = Object.keys(documented.rows[0]!)
  return allColumnsLike(invoices, documented, customers).map((row) => {
    const unknown = columns.find((name) => !(name in row))
    if (unknown !== undefined) throw new Error(`no rows in written-figures.ts have the column "${unknown}"`)
    return Object.fromEntries(columns.map((name) => [name, row[name]]))
  })
}
