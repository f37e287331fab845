import { queries } from '../../lib/monitoring/queries.ts'
import { stageSettings } from '../../lib/stages.ts'
import { section } from '../support/operating.ts'
import { everyOption, type Resource, synthesise } from '../support/synthesis.ts'

/** The data of one period, by `metricName` of the metric. A metric that is absent has no data. */
type Period = Readonly<Record<string, number>>

interface MetricOf {
  readonly MetricName: string
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[]
}

/** Returns the name of a metric in tests: its own name, with its status, firewall rule, operation or index if it has one. */
const metricName = ({ MetricName, Dimensions = [] }: MetricOf): string =>
  [
    MetricName,
    ...Dimensions.filter(({ Name }) => /^(Status|Rule|Operation|GlobalSecondaryIndexName)$/.test(Name)).map(
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
  if (!entries) return period[metricName(Properties)]
  const known = new Map<string, number | undefined>(
    entries.flatMap(({ Id, MetricStat }) =>
      MetricStat ? [[Id, period[metricName(MetricStat.Metric)]]] : [],
    ),
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
const rings = (alarm: Resource, periods: readonly Period[]): boolean => {
  const { Threshold, EvaluationPeriods, DatapointsToAlarm } = alarm.Properties
  const breaching = periods
    .slice(-EvaluationPeriods)
    .filter((period) => (valueIn(alarm, period) ?? 0) >= Threshold)
  return breaching.length >= DatapointsToAlarm
}

const prod = synthesise('prod', { ...stageSettings('prod'), events: true })
const full = synthesise('full', everyOption)

/** Returns the name of an alarm without its stack. */
const nameOf = ({ Properties }: Resource): string => Properties.AlarmName.slice('billing-prod '.length)
const alarms = (): Resource[] => prod.all('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm)

describe('the alarms', () => {
  it('publish to the topic when they go off and when they recover', () => {
    const [[topic]] = prod.all('AWS::SNS::Topic') as [[string, Resource]]
    expect(alarms().map(nameOf).sort()).toEqual([
      '5xx-rate',
      '5xx-rate-of-few',
      'auth-failures',
      'client-errors',
      'dynamodb-throttles',
      'event-failures',
      'events-missing',
      'firewall-blocks',
      'internal-errors',
      'lambda-throttles',
      'p99-latency',
      'rate-limited',
    ])
    for (const { Properties } of alarms()) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }])
      expect(Properties.OKActions).toEqual([{ Ref: topic }])
    }
  })

  it('do not go off while data is missing', () => {
    for (const properties of prod.properties('AWS::CloudWatch::Alarm'))
      expect(properties.TreatMissingData).toBe('notBreaching')
  })

  // Periods are of five minutes.
  it.each<[string, number, Period, boolean]>([
    ['5xx-rate', 1, { Count: 1_000, '5XXError': 10 }, true],
    ['5xx-rate', 1, { Count: 1_000, '5XXError': 9 }, false],
    ['5xx-rate', 5, { Count: 19, '5XXError': 19 }, false],
    ['5xx-rate-of-few', 3, { Count: 1, '5XXError': 1 }, true],
    ['5xx-rate-of-few', 3, { Count: 19, '5XXError': 10 }, true],
    ['5xx-rate-of-few', 5, { Count: 19, '5XXError': 9 }, false],
    ['5xx-rate-of-few', 2, { Count: 19, '5XXError': 19 }, false],
    ['5xx-rate-of-few', 5, { Count: 20, '5XXError': 20 }, false],
    ['internal-errors', 1, { 'Responses 500': 1 }, true],
    ['internal-errors', 1, { 'Responses 502': 1 }, true],
    ['internal-errors', 5, { 'Responses 401': 9 }, false],
    ['p99-latency', 3, { Count: 20, Latency: 1_000 }, true],
    ['p99-latency', 5, { Count: 19, Latency: 9_000 }, false],
    ['auth-failures', 1, { 'Responses 401': 100 }, true],
    ['client-errors', 3, { Count: 100, 'Responses 422': 20, 'Responses 404': 1 }, true],
    ['client-errors', 5, { Count: 100, 'Responses 422': 19, 'Responses 404': 19 }, false],
    ['client-errors', 5, { Count: 99, 'Responses 422': 99 }, false],
    ['client-errors', 5, { Count: 1_000, 'Responses 401': 300, 'Responses 429': 300 }, false],
    ['client-errors', 3, { Count: 1_000, 'Responses 403': 300 }, true],
    ['rate-limited', 2, { 'Responses 429': 200, 'BlockedRequests RequestsPerAddress': 100 }, true],
    ['rate-limited', 1, { 'Responses 429': 10_000 }, false],
    ['firewall-blocks', 2, { 'BlockedRequests ALL': 300, 'BlockedRequests RequestsPerAddress': 200 }, true],
    ['firewall-blocks', 5, { 'BlockedRequests ALL': 299, 'BlockedRequests RequestsPerAddress': 200 }, false],
    ['firewall-blocks', 5, { 'BlockedRequests ALL': 900, 'BlockedRequests BlockedAddresses': 900 }, false],
    ['lambda-throttles', 2, { Throttles: 10 }, true],
    ['lambda-throttles', 1, { Throttles: 1_000 }, false],
    ['dynamodb-throttles', 2, { 'ReadThrottleEvents by-list': 5, WriteThrottleEvents: 5 }, true],
    ['dynamodb-throttles', 5, { 'WriteThrottleEvents by-parent': 1 }, false],
    ['event-failures', 2, { ExecutionFailed: 1 }, true],
    ['event-failures', 2, { ExecutionPartiallyFailed: 1, Invocations: 9 }, true],
    ['event-failures', 1, { ExecutionFailed: 1_000 }, false],
    ['events-missing', 3, { 'SuccessfulRequestLatency TransactWriteItems': 1 }, true],
    ['events-missing', 3, { 'SuccessfulRequestLatency UpdateItem': 1, Invocations: 0 }, true],
    ['events-missing', 12, { 'SuccessfulRequestLatency PutItem': 9, Invocations: 1 }, false],
    ['events-missing', 2, { 'SuccessfulRequestLatency PutItem': 1_000 }, false],
  ])('%s goes off after %d periods of %j: %s', (name, periods, period, ringing) => {
    const alarm = alarms().find((each) => nameOf(each) === name)!
    expect(rings(alarm, Array(periods).fill(period))).toBe(ringing)
  })

  it('refer to the firewall and its rate rules by name', () => {
    const { Properties: acl } = prod.only('AWS::WAFv2::WebACL')
    const others = acl.Rules.filter(
      ({ Statement }: Resource['Properties']) => !Statement.ManagedRuleGroupStatement,
    )
    const blocks = alarms().find((each) => nameOf(each) === 'firewall-blocks')!
    const dimensions: Record<string, string>[] = blocks.Properties.Metrics.flatMap(
      ({ MetricStat }: Resource['Properties']) => MetricStat?.Metric.Dimensions ?? [],
    )
    const valuesOf = (name: string) =>
      dimensions.filter(({ Name }) => Name === name).map(({ Value }) => Value)
    const names = others.map((rule: Resource['Properties']) => rule.VisibilityConfig.MetricName)
    expect(valuesOf('Rule')).toEqual(['ALL', ...names])
    expect(new Set(valuesOf('WebACL'))).toEqual(new Set([acl.VisibilityConfig.MetricName]))
  })

  it('may publish to the topic, which requires TLS', () => {
    const policy = prod.only('AWS::SNS::TopicPolicy')
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: ['backup.amazonaws.com', 'cloudwatch.amazonaws.com'] },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ])
  })

  it('are all explained in the operator’s guide, with existing queries', () => {
    const rows = [...section('Alarms').matchAll(/^\| `([^`]+)` \|[^|]+\|([^|]+)\|/gm)]
    expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(alarms().map(nameOf)))
    const used = rows.flatMap(([, , names]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    expect(used.filter((name) => !Object.hasOwn(queries, name))).toEqual([])
    expect(used.length).toBeGreaterThanOrEqual(rows.length)
  })

  it('and the budget send e-mail to the address of the stage', () => {
    const budget = full.only('AWS::Budgets::Budget')
    expect(budget.Properties.Budget.BudgetLimit).toEqual({ Amount: 500, Unit: 'USD' })
    expect(
      budget.Properties.NotificationsWithSubscribers.map(
        ({ Notification, Subscribers: [{ Address }] }: Resource['Properties']) =>
          `${Notification.NotificationType} ${Notification.Threshold} ${Address}`,
      ),
    ).toEqual(['ACTUAL 80 operator@example.org', 'FORECASTED 100 operator@example.org'])
    full.template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'operator@example.org',
    })
  })
})
