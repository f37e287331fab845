import { readFileSync } from 'node:fs'
import { accessLogFields } from '../../../lib/gateway/access-log.ts'
import { queries } from '../../../lib/monitoring/queries.ts'
import { deployables } from '../../../shared/catalogue.ts'
import type { RequestLog } from '../../../shared/log.ts'
import { table as definition } from '../../../shared/store/table.ts'
import { realBudget } from '../../support/budgets.ts'
import { guideSection, operatingGuide, policyStatements } from '../../support/documents/operating-guide.ts'
import { type AlarmPeriod, firesAfter } from '../../support/stack/alarm-evaluation.ts'
import {
  everyOption,
  type Resource,
  type Synthesis,
  synthesise,
  withEvents,
} from '../../support/stack/synthesis.ts'

const fieldsOf: Readonly<Record<'functions' | 'gateway' | 'firewall', object>> = {
  functions: {
    request_id: true,
    gateway_request_id: true,
    trace_id: true,
    app_id: true,
    key_id: true,
    claimed_app_id: true,
    route: true,
    version: true,
    status: true,
    ms: true,
    bytes: true,
    kind: true,
    fields: true,
    error: true,
  } satisfies Record<keyof RequestLog, true>,
  gateway: accessLogFields,
  // These are fields of the web ACL's log, as AWS documents them.
  firewall: { terminatingRuleId: true, httpRequest: true },
}

const prod = synthesise('prod', withEvents)
const full = synthesise('full', everyOption)

it('logs contain no personal data', () => {
  const stage = prod.only('AWS::ApiGateway::Stage')
  expect(JSON.parse(stage.Properties.AccessLogSetting.Format)).toEqual(accessLogFields)
  expect(stage.Properties.AccessLogSetting.Format).not.toMatch(
    /identity|\.path\b|requestOverride|querystring|authorizer|header/i,
  )
  for (const { DataTraceEnabled } of stage.Properties.MethodSettings) expect(DataTraceEnabled).not.toBe(true)
})

it('logs have a retention, outlive the stack, and are deleted if its creation fails', () => {
  for (const [, { Properties, DeletionPolicy }] of prod.all('AWS::Logs::LogGroup')) {
    expect(Properties.RetentionInDays).toBe(90)
    expect(DeletionPolicy).toBe('RetainExceptOnCreate')
  }
})

it('logs have the retention of the stage, and are encrypted with the operator’s key if it has one', () => {
  const groups = full.properties('AWS::Logs::LogGroup')
  // There is a log group for each function, two for the gateway and one for the firewall.
  expect(groups).toHaveLength(deployables.length + 3)
  const { keyArn: KmsKeyId, logs } = everyOption
  expect(groups).toEqual(groups.map((group) => ({ ...group, KmsKeyId, RetentionInDays: logs.days })))
})

it('the alarm topic is not encrypted with the operator’s key, so that emails arrive when the key is disabled', () => {
  expect(full.only('AWS::SNS::Topic').Properties.KmsMasterKeyId).toBeUndefined()
})

it('a stage without a key of the operator sets no key', () => {
  expect(JSON.stringify(prod.template.toJSON())).not.toMatch(/"Kms/)
})

it('the key policy in the operator’s guide allows CloudWatch Logs to use the key', () => {
  const statements = policyStatements('Your own encryption key (KMS)').filter(
    ({ Principal }) => Principal?.Service === 'logs.REGION.amazonaws.com',
  )
  expect(statements).toHaveLength(1)
  expect(statements[0]!.Action).toEqual(expect.arrayContaining(['kms:Encrypt*', 'kms:Decrypt*']))
})

it('docs/performance.md states the number of alarms, and of the metrics that they cost', () => {
  const countsOf = ({ properties }: Synthesis) => {
    const alarms = properties('AWS::CloudWatch::Alarm')
    const metrics = alarms.flatMap(({ Metrics }) =>
      Metrics ? Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat) : ['its only metric'],
    )
    return { alarms: alarms.length, metrics: metrics.length }
  }
  const own = countsOf(synthesise('prod'))
  const withDomainAndEvents = countsOf(prod)
  // The alarm of a domain's certificate has one metric.
  const events = {
    alarms: withDomainAndEvents.alarms - own.alarms - 1,
    metrics: withDomainAndEvents.metrics - own.metrics - 1,
  }
  const text = readFileSync('docs/performance.md', 'utf8')
  expect(text).toContain(
    `: ${own.alarms} alarms on ${own.metrics} metrics (0.10 each; one more with \`domain\`)`,
  )
  expect(text).toContain(`${events.alarms} more alarms on ${events.metrics} metrics`)
})

it('a metric of the log counts failures, and refusals by status except too many updates of one customer', () => {
  const [filter] = prod
    .properties('AWS::Logs::MetricFilter')
    .filter(({ MetricTransformations: [metric] }) => metric.MetricName === 'Responses')
  expect(filter.FilterPattern).toBe(
    '{ (($.status = "4*") || ($.status = "500") || (($.error = "INTEGRATION_FAILURE") && ($.lambda_status = "200"))) && ($.error != "WAF_FILTERED") && (($.status != "429") || ($.error = "THROTTLED")) }',
  )
  expect(filter.MetricTransformations[0].Dimensions).toEqual([{ Key: 'Status', Value: '$.status' }])
})

it('a metric of the logs adds up the bytes of responses to reads, which log lines have as numbers', () => {
  const filters = prod
    .properties('AWS::Logs::MetricFilter')
    .filter(({ MetricTransformations: [metric] }) => metric.MetricName === 'ResponseBytes')
  const reads = deployables.filter(({ throttle }) => throttle === 'read')
  expect(new Set(filters.map(({ LogGroupName }) => JSON.stringify(LogGroupName))).size).toBe(reads.length)
  for (const { FilterPattern, MetricTransformations } of filters) {
    expect(FilterPattern).toBe('{ $.bytes >= 0 }')
    expect(MetricTransformations).toMatchObject([{ MetricNamespace: 'billing-prod', MetricValue: '$.bytes' }])
  }
})

const savedQueries = (synthesis: Synthesis) => synthesis.properties('AWS::Logs::QueryDefinition')

it('the operator’s guide explains every saved query', () => {
  const rows = guideSection('Saved queries').matchAll(/^\| `([^`]+)` \|/gm)
  const explained = [...rows].map(([, name]) => name)
  expect(explained).toEqual(Object.keys(queries))
})

it('a stage has every saved query, except the query of the firewall’s log without that log', () => {
  const namesIn = (synthesis: Synthesis) => savedQueries(synthesis).map(({ Name }) => Name.split('/')[1])
  const names = Object.keys(queries)
  expect(namesIn(full)).toEqual(names)
  expect(namesIn(prod)).toEqual(names.filter((name) => name !== 'blocked-requests'))
})

const queryKeywords = ['fields', 'filter', 'stats', 'sort', 'limit', 'by', 'as', 'and', 'or', 'not', 'desc']

/** No functions, and no parts of a path or of `@message`. */
const wordsOf = (line: string): string[] =>
  line.replaceAll(/"[^"]*"/g, '').match(/(?<![@\w.])[a-z]\w*\b(?!\()/g) ?? []

it.each(Object.entries(queries))(
  'the saved query %s uses existing fields of its log',
  (_, { sources, lines }) => {
    const logged = sources.flatMap((source) => Object.keys(fieldsOf[source]))
    const definedInQuery = lines.flatMap((line) => [...line.matchAll(/ as (\w+)/g)].map(([, name]) => name!))
    const existing = new Set([...queryKeywords, ...logged, ...definedInQuery])
    expect(lines.flatMap(wordsOf).filter((word) => !existing.has(word))).toEqual([])
  },
)

it('saved queries show the most or the latest first, except the lines of one request', () => {
  const ascending = Object.entries(queries).filter(([, { lines }]) =>
    lines.some((line) => /^sort (?!.* desc$)/.test(line)),
  )
  expect(ascending.map(([name]) => name)).toEqual(['one-request'])
})

it('saved queries read one log, the logs of all functions, or these and one more', () => {
  const counts = savedQueries(full).map(({ LogGroupNames }) => LogGroupNames.length)
  const functions = deployables.length
  expect(new Set(counts)).toEqual(new Set([1, functions, functions + 1]))
})

it('the dashboard shows every route, function and index', () => {
  const dashboard = prod.only('AWS::CloudWatch::Dashboard')
  const body = JSON.stringify(dashboard.Properties.DashboardBody)
  for (const { id } of deployables) expect(body).toContain(id)
  for (const { name } of definition.indexes) expect(body).toContain(name)
})

it('the stack has the outputs that operators need', () => {
  for (const name of ['Url', 'TableName', 'DashboardUrl', 'AlarmTopic']) {
    prod.template.hasOutput(name, {})
    expect(operatingGuide).toContain(`\`${name}\``)
  }
})

const nameOf = ({ Properties }: Resource): string => Properties.AlarmName.slice('billing-prod '.length)
const alarms = (): Resource[] => prod.all('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm)

describe.each(alarms().map((alarm) => ({ name: nameOf(alarm), Properties: alarm.Properties })))(
  'the alarm $name',
  ({ name, Properties }) => {
    const [topic] = prod.all('AWS::SNS::Topic')[0]!

    it('publishes to the topic when it fires and when it clears', () => {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }])
      expect(Properties.OKActions).toEqual([{ Ref: topic }])
    })

    it('does not fire because data is missing', () => {
      // ACM reports no days to expiry once the certificate has expired: the alarm then keeps its state.
      const expected = name === 'certificate-expiry' ? 'ignore' : 'notBreaching'
      expect(Properties.TreatMissingData).toBe(expected)
    })

    it('has at most ten metrics, which is the limit for an expression', () => {
      const { Metrics = [] }: { Metrics?: { MetricStat?: object }[] } = Properties
      expect(Metrics.filter(({ MetricStat }) => MetricStat).length).toBeLessThanOrEqual(10)
    })
  },
)

const alarmNamed = (name: string): Resource => alarms().find((alarm) => nameOf(alarm) === name)!

// A period is five minutes, or a day for certificates.
const firing: [string, number, AlarmPeriod][] = [
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 10 }],
  ['5xx-rate-of-few', 3, { Count: 1, '5XXError': 1 }],
  ['5xx-rate-of-few', 3, { Count: 19, '5XXError': 10 }],
  ['internal-errors', 1, { 'Responses 500': 1 }],
  ['internal-errors', 1, { 'Responses 503': 1 }],
  ['p99-latency', 3, { Count: 20, Latency: 2_000 }],
  ['auth-failures', 1, { 'Responses 401': 100 }],
  ['certificate-expiry', 1, { DaysToExpiry: 20 }],
  ['client-errors', 3, { Count: 100, 'Responses 422': 20, 'Responses 404': 1 }],
  ['client-errors', 3, { Count: 1_000, 'Responses 403': 300 }],
  ['rate-limited', 2, { 'Responses 429': 200, 'BlockedRequests RequestsPerAddress': 100 }],
  ['data-out', 1, { ResponseBytes: 10e9 }],
  ['firewall-blocks', 2, { 'BlockedRequests ALL': 300, 'BlockedRequests RequestsPerAddress': 200 }],
  ['lambda-throttles', 2, { Throttles: 10 }],
  ['dynamodb-throttles', 2, { 'ReadThrottleEvents by-list': 5, WriteThrottleEvents: 5 }],
  ['event-failures', 2, { ExecutionFailed: 1 }],
  ['event-failures', 2, { ExecutionPartiallyFailed: 1, Invocations: 9 }],
  ['events-missing', 3, { 'SuccessfulRequestLatency TransactWriteItems': 1 }],
  ['events-missing', 3, { 'SuccessfulRequestLatency UpdateItem': 1, Invocations: 0 }],
]
const silent: [string, number, AlarmPeriod][] = [
  // Updates of one customer wait for each other no longer than this.
  ['p99-latency', 5, { Count: 300, Latency: realBudget.update + 400 }],
  ['auth-failures', 5, { 'Responses 401': 99 }],
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 9 }],
  ['5xx-rate', 5, { Count: 19, '5XXError': 19 }],
  ['5xx-rate-of-few', 5, { Count: 19, '5XXError': 9 }],
  ['5xx-rate-of-few', 2, { Count: 19, '5XXError': 19 }],
  ['5xx-rate-of-few', 5, { Count: 20, '5XXError': 20 }],
  ['internal-errors', 5, { 'Responses 401': 9 }],
  ['certificate-expiry', 1, { DaysToExpiry: 21 }],
  ['p99-latency', 5, { Count: 19, Latency: 9_000 }],
  ['client-errors', 5, { Count: 100, 'Responses 422': 19, 'Responses 404': 19 }],
  ['client-errors', 5, { Count: 99, 'Responses 422': 99 }],
  ['client-errors', 5, { Count: 1_000, 'Responses 401': 300, 'Responses 429': 300 }],
  ['rate-limited', 1, { 'Responses 429': 10_000 }],
  ['data-out', 3, { ResponseBytes: 9e9 }],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 299, 'BlockedRequests RequestsPerAddress': 200 }],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 900, 'BlockedRequests BlockedAddresses': 900 }],
  ['lambda-throttles', 1, { Throttles: 1_000 }],
  ['dynamodb-throttles', 5, { 'WriteThrottleEvents by-parent': 1 }],
  ['event-failures', 1, { ExecutionFailed: 1_000 }],
  ['events-missing', 12, { 'SuccessfulRequestLatency PutItem': 9, Invocations: 1 }],
  ['events-missing', 2, { 'SuccessfulRequestLatency PutItem': 1_000 }],
]

it.each(firing)('the alarm %s fires after %d periods of %j', (name, count, period) => {
  expect(firesAfter(alarmNamed(name), Array(count).fill(period))).toBe(true)
})

it.each(silent)('the alarm %s does not fire after %d periods of %j', (name, count, period) => {
  expect(firesAfter(alarmNamed(name), Array(count).fill(period))).toBe(false)
})

it('each alarm has data with which it fires, and data with which it does not', () => {
  const names = new Set(alarms().map(nameOf))
  for (const rows of [firing, silent]) expect(new Set(rows.map(([name]) => name))).toEqual(names)
})

it('the alarm firewall-blocks refers to the firewall and its rate rules by name', () => {
  const { Properties: acl } = prod.only('AWS::WAFv2::WebACL')
  const { Metrics } = alarmNamed('firewall-blocks').Properties
  const dimensions: Record<string, string>[] = Metrics.flatMap(
    ({ MetricStat }: Resource['Properties']) => MetricStat?.Metric.Dimensions ?? [],
  )
  const valuesOf = (name: string) => dimensions.filter(({ Name }) => Name === name).map(({ Value }) => Value)
  const ownRules = acl.Rules.filter(
    ({ Statement }: Resource['Properties']) => !Statement.ManagedRuleGroupStatement,
  )
  const ruleNames = ownRules.map((rule: Resource['Properties']) => rule.VisibilityConfig.MetricName)
  expect(valuesOf('Rule')).toEqual(['ALL', ...ruleNames])
  expect(new Set(valuesOf('WebACL'))).toEqual(new Set([acl.VisibilityConfig.MetricName]))
})

it('CloudWatch and AWS Backup are allowed to publish to the topic, which requires TLS', () => {
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
  const rows = [...guideSection('Alarms').matchAll(/^\| `([^`]+)` \|[^|]+\|([^|]+)\|/gm)]
  const explainedAlarms = rows.map(([, alarm]) => alarm)
  expect(new Set(explainedAlarms)).toEqual(new Set(alarms().map(nameOf)))
  const namedQueries = rows.flatMap(([, , cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
  expect(namedQueries.filter((name) => !Object.hasOwn(queries, name))).toEqual([])
  expect(namedQueries.length).toBeGreaterThanOrEqual(rows.length)
})

it('the budget sends emails to its address at 80 % of the actual and 100 % of the forecast cost', () => {
  const { Budget, NotificationsWithSubscribers } = full.only('AWS::Budgets::Budget').Properties
  expect(Budget.BudgetLimit).toEqual({ Amount: 500, Unit: 'USD' })
  const Subscribers = [{ Address: 'operator@example.org' }]
  expect(NotificationsWithSubscribers).toMatchObject([
    { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers },
    { Notification: { NotificationType: 'FORECASTED', Threshold: 100 }, Subscribers },
  ])
})

it('alarms send emails to the address of the stage', () => {
  const subscription = { Protocol: 'email', Endpoint: 'operator@example.org' }
  expect(full.properties('AWS::SNS::Subscription')).toContainEqual(expect.objectContaining(subscription))
})

it('the alarm that rolls back is in an output of the stack', () => {
  const [id] = prod.all('AWS::CloudWatch::Alarm').find(([, alarm]) => nameOf(alarm) === '5xx-rate')!
  expect(prod.template.toJSON().Outputs.RollbackAlarm.Value).toEqual({ 'Fn::GetAtt': [id, 'Arn'] })
})
