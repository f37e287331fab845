import type { Resource } from './synthesis.ts'

/**
 * The data of one period. The key is the name of a metric, followed by the value of the dimension that
 * distinguishes it from other metrics of that name, such as "Responses 401". A metric that is absent has no
 * data.
 */
export type AlarmPeriod = Readonly<Record<string, number>>

interface MetricIdentity {
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

/** A metric, or the expression over the ids of metrics that the alarm watches. */
interface Entry {
  readonly Id: string
  readonly Expression?: string
  readonly MetricStat?: { readonly Metric: MetricIdentity }
}

const dataOf = ({ MetricName, Dimensions = [] }: MetricIdentity, period: AlarmPeriod): number | undefined => {
  const distinguishing = Dimensions.filter(({ Name }) =>
    ['Status', 'Rule', 'Operation', 'GlobalSecondaryIndexName'].includes(Name),
  )
  return period[[MetricName, ...distinguishing.map(({ Value }) => Value)].join(' ')]
}

/** The functions of CloudWatch's expressions. Missing data is undefined. */
const functions = {
  FILL: (value: number | undefined, replacement: number) => value ?? replacement,
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  MAX: (values: readonly number[]) => Math.max(...values),
}

/** An expression of CloudWatch is evaluated as JavaScript. */
const watchedValue = ({ Properties }: Resource, period: AlarmPeriod): number | undefined => {
  if (!Properties.Metrics) return dataOf(Properties, period)
  const entries: Entry[] = Properties.Metrics
  const metrics = entries.filter(({ MetricStat }) => MetricStat)
  const expression = entries.find(({ Expression }) => Expression)?.Expression ?? metrics[0]!.Id
  const ids = metrics.map(({ Id }) => Id)
  const values = metrics.map(({ MetricStat }) => dataOf(MetricStat!.Metric, period))
  const evaluate = new Function(...Object.keys(functions), ...ids, `return ${expression}`)
  return evaluate(...Object.values(functions), ...values)
}

/** Oldest first. Missing data does not breach the threshold. */
export const firesAfter = (alarm: Resource, periods: readonly AlarmPeriod[]): boolean => {
  const { Threshold, EvaluationPeriods, DatapointsToAlarm, ComparisonOperator } = alarm.Properties
  const breaches = (value: number) =>
    ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value >= Threshold
  const values = periods.slice(-EvaluationPeriods).map((period) => watchedValue(alarm, period))
  const breaching = values.filter((value) => value !== undefined && breaches(value))
  return breaching.length >= DatapointsToAlarm
}
