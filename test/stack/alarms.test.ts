import { queries } from '../../lib/monitoring/queries.ts'
import { stageSettings } from '../../lib/stages.ts'
import { isOn, type Period } from '../support/alarm-evaluation.ts'
import { section } from '../support/operating.ts'
import { everyOption, type Resource, synthesise } from '../support/synthesis.ts'

const prod = synthesise('prod', { ...stageSettings('prod'), events: true })
const full = synthesise('full', everyOption)

/** Returns the name of an alarm without its stack. */
const nameOf = ({ Properties }: Resource): string => Properties.AlarmName.slice('billing-prod '.length)
const alarms = (): Resource[] => prod.all('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm)

it('alarms publish to the topic when they go off and when they recover', () => {
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

it('alarms do not go off while data is missing', () => {
  for (const properties of prod.properties('AWS::CloudWatch::Alarm'))
    expect(properties.TreatMissingData).toBe('notBreaching')
})

const alarmNamed = (name: string): Resource => alarms().find((alarm) => nameOf(alarm) === name)!

// Periods are of five minutes.
it.each<[string, number, Period]>([
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 10 }],
  ['5xx-rate-of-few', 3, { Count: 1, '5XXError': 1 }],
  ['5xx-rate-of-few', 3, { Count: 19, '5XXError': 10 }],
  ['internal-errors', 1, { 'Responses 500': 1 }],
  ['internal-errors', 1, { 'Responses 502': 1 }],
  ['p99-latency', 3, { Count: 20, Latency: 1_000 }],
  ['auth-failures', 1, { 'Responses 401': 100 }],
  ['client-errors', 3, { Count: 100, 'Responses 422': 20, 'Responses 404': 1 }],
  ['client-errors', 3, { Count: 1_000, 'Responses 403': 300 }],
  ['rate-limited', 2, { 'Responses 429': 200, 'BlockedRequests RequestsPerAddress': 100 }],
  ['firewall-blocks', 2, { 'BlockedRequests ALL': 300, 'BlockedRequests RequestsPerAddress': 200 }],
  ['lambda-throttles', 2, { Throttles: 10 }],
  ['dynamodb-throttles', 2, { 'ReadThrottleEvents by-list': 5, WriteThrottleEvents: 5 }],
  ['event-failures', 2, { ExecutionFailed: 1 }],
  ['event-failures', 2, { ExecutionPartiallyFailed: 1, Invocations: 9 }],
  ['events-missing', 3, { 'SuccessfulRequestLatency TransactWriteItems': 1 }],
  ['events-missing', 3, { 'SuccessfulRequestLatency UpdateItem': 1, Invocations: 0 }],
])('the alarm %s goes off after %d periods of %j', (name, count, period) => {
  expect(isOn(alarmNamed(name), Array(count).fill(period))).toBe(true)
})

it.each<[string, number, Period]>([
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 9 }],
  ['5xx-rate', 5, { Count: 19, '5XXError': 19 }],
  ['5xx-rate-of-few', 5, { Count: 19, '5XXError': 9 }],
  ['5xx-rate-of-few', 2, { Count: 19, '5XXError': 19 }],
  ['5xx-rate-of-few', 5, { Count: 20, '5XXError': 20 }],
  ['internal-errors', 5, { 'Responses 401': 9 }],
  ['p99-latency', 5, { Count: 19, Latency: 9_000 }],
  ['client-errors', 5, { Count: 100, 'Responses 422': 19, 'Responses 404': 19 }],
  ['client-errors', 5, { Count: 99, 'Responses 422': 99 }],
  ['client-errors', 5, { Count: 1_000, 'Responses 401': 300, 'Responses 429': 300 }],
  ['rate-limited', 1, { 'Responses 429': 10_000 }],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 299, 'BlockedRequests RequestsPerAddress': 200 }],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 900, 'BlockedRequests BlockedAddresses': 900 }],
  ['lambda-throttles', 1, { Throttles: 1_000 }],
  ['dynamodb-throttles', 5, { 'WriteThrottleEvents by-parent': 1 }],
  ['event-failures', 1, { ExecutionFailed: 1_000 }],
  ['events-missing', 12, { 'SuccessfulRequestLatency PutItem': 9, Invocations: 1 }],
  ['events-missing', 2, { 'SuccessfulRequestLatency PutItem': 1_000 }],
])('the alarm %s stays off after %d periods of %j', (name, count, period) => {
  expect(isOn(alarmNamed(name), Array(count).fill(period))).toBe(false)
})

it('the alarm firewall-blocks refers to the firewall and its rate rules by name', () => {
  const { Properties: acl } = prod.only('AWS::WAFv2::WebACL')
  const others = acl.Rules.filter(
    ({ Statement }: Resource['Properties']) => !Statement.ManagedRuleGroupStatement,
  )
  const blocks = alarmNamed('firewall-blocks')
  const dimensions: Record<string, string>[] = blocks.Properties.Metrics.flatMap(
    ({ MetricStat }: Resource['Properties']) => MetricStat?.Metric.Dimensions ?? [],
  )
  const valuesOf = (name: string) => dimensions.filter(({ Name }) => Name === name).map(({ Value }) => Value)
  const names = others.map((rule: Resource['Properties']) => rule.VisibilityConfig.MetricName)
  expect(valuesOf('Rule')).toEqual(['ALL', ...names])
  expect(new Set(valuesOf('WebACL'))).toEqual(new Set([acl.VisibilityConfig.MetricName]))
})

it('CloudWatch may publish alarms to the topic, which requires TLS', () => {
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

it('the operator’s guide explains every alarm, with existing queries', () => {
  const rows = [...section('Alarms').matchAll(/^\| `([^`]+)` \|[^|]+\|([^|]+)\|/gm)]
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(alarms().map(nameOf)))
  const used = rows.flatMap(([, , names]) => [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
  expect(used.filter((name) => !Object.hasOwn(queries, name))).toEqual([])
  expect(used.length).toBeGreaterThanOrEqual(rows.length)
})

it('alarms and the budget send e-mail to the address of the stage', () => {
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
