import type { Resource } from './synthesis.ts'

/** The data of one period, by `nameOf` of the metric. A metric that is absent has no data. */
export type Period = Readonly<Record<string, number>>

interface MetricOf {
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

/** Returns the name of a metric in tests: its own name, with its status, firewall rule or index if it has one. */
const nameOf = ({ MetricName, Dimensions = [] }: MetricOf): string =>
  [
    MetricName,
    ...Dimensions.filter(({ Name }) => /^(Status|Rule|GlobalSecondaryIndexName)$/.test(Name)).map(
      ({ Value }) => Value,
    ),
  ].join(' ')

/** CloudWatch's functions on one period. Missing data is undefined, and NaN in arithmetic. */
const functions = {
  FILL: (value: number | undefined, filling: number) => value ?? filling,
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  MAX: (values: readonly number[]) => Math.max(...values),
}

/** Returns the value that an alarm compares with its threshold. */
const valueIn = ({ Properties }: Resource, period: Period): number | undefined => {
  const entries = Properties.Metrics as
    | { Id: string; Expression?: string; MetricStat?: { Metric: MetricOf }; ReturnData?: boolean }[]
    | undefined
  if (!entries) return period[nameOf(Properties)]
  const known = new Map<string, number | undefined>(
    entries.flatMap(({ Id, MetricStat }) => (MetricStat ? [[Id, period[nameOf(MetricStat.Metric)]]] : [])),
  )
  const reckon = (id: string): number | undefined => {
    if (known.has(id)) return known.get(id)
    const { Expression } = entries.find(({ Id }) => Id === id)!
    const ids = entries.map(({ Id }) => Id).filter((each) => new RegExp(`\\b${each}\\b`).test(Expression!))
    const names = [...Object.keys(functions), ...ids]
    return new Function(...names, `return ${Expression}`)(...Object.values(functions), ...ids.map(reckon))
  }
  return reckon(entries.find(({ ReturnData }) => ReturnData !== false)!.Id)
}

/** Returns whether an alarm is on after these periods, with no data before them. */
export const rings = (alarm: Resource, periods: readonly Period[]): boolean => {
  const { Threshold, EvaluationPeriods, DatapointsToAlarm } = alarm.Properties
  const breaching = periods
    .slice(-EvaluationPeriods)
    .filter((period) => (valueIn(alarm, period) ?? 0) >= Threshold)
  return breaching.length >= DatapointsToAlarm
}
