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

/** The fields of a line in each log. */
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
    kind: true,
    fields: true,
    error: true,
  } satisfies Record<keyof RequestLog, true>,
  gateway: accessLogFields,
  // As documented by AWS.
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

it('logs are encrypted with the operator’s key if there is one, and mails come when that key is disabled', () => {
  const keys = full.properties('AWS::Logs::LogGroup').map((properties) => properties.KmsKeyId)
  // One for each function, two of the gateway, one of the firewall.
  expect(keys).toEqual(Array(deployables.length + 3).fill(everyOption.keyArn))
  expect(full.only('AWS::SNS::Topic').Properties.KmsMasterKeyId).toBeUndefined()
  expect(JSON.stringify(prod.template.toJSON())).not.toMatch(/"Kms/)
})

it('the key policy in the operator’s guide lets logs use the key', () => {
  const logs = policyStatements('Your own encryption key (KMS)').filter(
    ({ Principal }) => Principal?.Service === 'logs.REGION.amazonaws.com',
  )
  expect(logs.map(({ Action }) => Action)).toEqual([expect.arrayContaining(['kms:Encrypt*', 'kms:Decrypt*'])])
})

it('a metric of the log counts refusals by status, except of too many updates of one customer, and failures', () => {
  const filters = prod.properties('AWS::Logs::MetricFilter')
  const responses = filters.filter(({ MetricTransformations: [each] }) => each.MetricName === 'Responses')
  expect(responses).toEqual([
    expect.objectContaining({
      FilterPattern:
        '{ (($.status = "4*") || ($.status = "500") || (($.error = "INTEGRATION_FAILURE") && ($.lambda_status = "200"))) && ($.error != "WAF_FILTERED") && (($.status != "429") || ($.error = "THROTTLED")) }',
    }),
  ])
  expect(responses[0].MetricTransformations[0].Dimensions).toEqual([{ Key: 'Status', Value: '$.status' }])
})

const saved = (made: Synthesis) => made.properties('AWS::Logs::QueryDefinition')

it('the operator’s guide explains every saved query', () => {
  const explained = [...guideSection('Saved queries').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(Object.keys(queries))
  const names = (made: Synthesis) => saved(made).map(({ Name }) => Name.split('/')[1])
  expect(names(full)).toEqual(explained)
  expect(names(prod)).toEqual(explained.filter((name) => name !== 'blocked-requests'))
})

it.each(Object.entries(queries))(
  'the saved query %s uses existing fields of its log',
  (_, { sources, lines }) => {
    const known = new Set(sources.flatMap((source) => Object.keys(fieldsOf[source])))
    const words = lines
      .map((line) => line.replaceAll(/"[^"]*"/g, ''))
      .flatMap((line) => line.match(/(?<![@\w.])[a-z]\w*\b(?!\()/g) ?? [])
    const named = lines.flatMap((line) => [...line.matchAll(/ as (\w+)/g)].map(([, name]) => name!))
    const own = [...'fields filter stats sort limit by as and or not desc'.split(' '), ...named]
    expect(words.filter((word) => !own.includes(word) && !known.has(word))).toEqual([])
  },
)

it('saved queries read the logs of all functions, or the gateway’s, or both', () => {
  const counts = saved(full).map(({ LogGroupNames }) => LogGroupNames.length)
  const all = deployables.length
  expect(new Set(counts)).toEqual(new Set([1, all, all + 1]))
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

/** Returns the name of an alarm without its stack. */
const nameOf = ({ Properties }: Resource): string => Properties.AlarmName.slice('billing-prod '.length)
const alarms = (): Resource[] => prod.all('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm)

it('alarms publish to the topic when they go off and when they recover, and not while data is missing', () => {
  const [[topic]] = prod.all('AWS::SNS::Topic') as [[string, Resource]]
  for (const alarm of alarms()) {
    const name = nameOf(alarm)
    const { Metrics = [], AlarmActions, OKActions, TreatMissingData } = alarm.Properties
    expect({ name, AlarmActions, OKActions }).toEqual({
      name,
      AlarmActions: [{ Ref: topic }],
      OKActions: [{ Ref: topic }],
    })
    // ACM counts no more days once the certificate has expired.
    const missing = name === 'certificate-expiry' ? 'ignore' : 'notBreaching'
    expect({ name, TreatMissingData }).toEqual({ name, TreatMissingData: missing })
    // The maximum of an expression.
    expect(Metrics.filter(({ MetricStat }: Resource['Properties']) => MetricStat).length).toBeLessThan(11)
  }
})

const alarmNamed = (name: string): Resource => alarms().find((alarm) => nameOf(alarm) === name)!

// Periods are of five minutes, of a day for certificates.
it.each<[string, number, AlarmPeriod, boolean]>([
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 10 }, true],
  ['5xx-rate-of-few', 3, { Count: 1, '5XXError': 1 }, true],
  ['5xx-rate-of-few', 3, { Count: 19, '5XXError': 10 }, true],
  ['internal-errors', 1, { 'Responses 500': 1 }, true],
  ['internal-errors', 1, { 'Responses 503': 1 }, true],
  ['p99-latency', 3, { Count: 20, Latency: 2_000 }, true],
  // Updates of one customer wait for each other no longer than this.
  ['p99-latency', 5, { Count: 300, Latency: realBudget.update + 400 }, false],
  ['auth-failures', 1, { 'Responses 401': 100 }, true],
  ['certificate-expiry', 1, { DaysToExpiry: 20 }, true],
  ['client-errors', 3, { Count: 100, 'Responses 422': 20, 'Responses 404': 1 }, true],
  ['client-errors', 3, { Count: 1_000, 'Responses 403': 300 }, true],
  ['rate-limited', 2, { 'Responses 429': 200, 'BlockedRequests RequestsPerAddress': 100 }, true],
  ['firewall-blocks', 2, { 'BlockedRequests ALL': 300, 'BlockedRequests RequestsPerAddress': 200 }, true],
  ['lambda-throttles', 2, { Throttles: 10 }, true],
  ['dynamodb-throttles', 2, { 'ReadThrottleEvents by-list': 5, WriteThrottleEvents: 5 }, true],
  ['event-failures', 2, { ExecutionFailed: 1 }, true],
  ['event-failures', 2, { ExecutionPartiallyFailed: 1, Invocations: 9 }, true],
  ['events-missing', 3, { 'SuccessfulRequestLatency TransactWriteItems': 1 }, true],
  ['events-missing', 3, { 'SuccessfulRequestLatency UpdateItem': 1, Invocations: 0 }, true],
  ['5xx-rate', 1, { Count: 1_000, '5XXError': 9 }, false],
  ['5xx-rate', 5, { Count: 19, '5XXError': 19 }, false],
  ['5xx-rate-of-few', 5, { Count: 19, '5XXError': 9 }, false],
  ['5xx-rate-of-few', 2, { Count: 19, '5XXError': 19 }, false],
  ['5xx-rate-of-few', 5, { Count: 20, '5XXError': 20 }, false],
  ['internal-errors', 5, { 'Responses 401': 9 }, false],
  ['certificate-expiry', 1, { DaysToExpiry: 21 }, false],
  ['p99-latency', 5, { Count: 19, Latency: 9_000 }, false],
  ['client-errors', 5, { Count: 100, 'Responses 422': 19, 'Responses 404': 19 }, false],
  ['client-errors', 5, { Count: 99, 'Responses 422': 99 }, false],
  ['client-errors', 5, { Count: 1_000, 'Responses 401': 300, 'Responses 429': 300 }, false],
  ['rate-limited', 1, { 'Responses 429': 10_000 }, false],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 299, 'BlockedRequests RequestsPerAddress': 200 }, false],
  ['firewall-blocks', 5, { 'BlockedRequests ALL': 900, 'BlockedRequests BlockedAddresses': 900 }, false],
  ['lambda-throttles', 1, { Throttles: 1_000 }, false],
  ['dynamodb-throttles', 5, { 'WriteThrottleEvents by-parent': 1 }, false],
  ['event-failures', 1, { ExecutionFailed: 1_000 }, false],
  ['events-missing', 12, { 'SuccessfulRequestLatency PutItem': 9, Invocations: 1 }, false],
  ['events-missing', 2, { 'SuccessfulRequestLatency PutItem': 1_000 }, false],
])('the alarm %s is, after %d periods of %j, on: %s', (name, count, period, expected) => {
  expect(firesAfter(alarmNamed(name), Array(count).fill(period))).toBe(expected)
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
  const rows = [...guideSection('Alarms').matchAll(/^\| `([^`]+)` \|[^|]+\|([^|]+)\|/gm)]
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

it('the alarm that rolls back is in an output of the stack', () => {
  const [id] = prod.all('AWS::CloudWatch::Alarm').find(([, each]) => nameOf(each) === '5xx-rate')!
  expect(prod.template.toJSON().Outputs.RollbackAlarm.Value).toEqual({ 'Fn::GetAtt': [id, 'Arn'] })
})
