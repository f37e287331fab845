import { accessLogFields } from '../../lib/gateway/access-log.ts'
import { queries } from '../../lib/monitoring/queries.ts'
import { stageSettings, stages } from '../../lib/stages.ts'
import { deployables } from '../../shared/catalogue.ts'
import type { RequestLog } from '../../shared/log.ts'
import { table as definition } from '../../shared/store/table.ts'
import { operatingGuide, policyIn, section } from '../support/operating.ts'
import { everyOption, type Synthesis, synthesise } from '../support/synthesis.ts'

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

const prod = synthesise('prod')
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
  for (const [, { Properties, DeletionPolicy }] of prod.all('AWS::Logs::LogGroup'))
    expect([Properties.RetentionInDays, DeletionPolicy]).toEqual([90, 'RetainExceptOnCreate'])
})

it('logs and the topic of alarms are encrypted with the operator’s key if there is one', () => {
  const keys = full.properties('AWS::Logs::LogGroup').map((properties) => properties.KmsKeyId)
  // One for each function, two of the gateway, one of the firewall.
  expect(keys).toEqual(Array(deployables.length + 3).fill(everyOption.keyArn))
  full.template.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: everyOption.keyArn })
  expect(JSON.stringify(prod.template.toJSON())).not.toMatch(/"Kms/)
})

it('the key policy in the operator’s guide lets logs and publishers of the topic use the key', () => {
  const { Statement } = policyIn('A key of your own') as {
    Statement: { Principal: { Service?: string | string[] }; Action: string | string[] }[]
  }
  const told = new Map(
    Statement.flatMap(({ Principal, Action }) =>
      [Principal.Service ?? []].flat().map((service) => [service, [Action].flat()] as const),
    ),
  )
  const topic = full.only('AWS::SNS::TopicPolicy')
  const publishers = topic.Properties.PolicyDocument.Statement.flatMap(
    ({ Effect, Principal }: { Effect: string; Principal: { Service: string[] } }) =>
      Effect === 'Allow' ? Principal.Service : [],
  ) as string[]
  expect(publishers.length).toBeGreaterThan(0)
  for (const service of publishers)
    expect([service, told.get(service)]).toEqual([service, ['kms:Decrypt', 'kms:GenerateDataKey*']])
  expect(told.get('logs.REGION.amazonaws.com')).toContain('kms:Encrypt*')
})

it('a metric of the log counts refusals by status, and failures', () => {
  const filters = prod.properties('AWS::Logs::MetricFilter')
  const responses = filters.filter(({ MetricTransformations: [each] }) => each.MetricName === 'Responses')
  expect(responses).toEqual([
    expect.objectContaining({
      FilterPattern:
        '{ (($.status = "4*") || ($.status = "500") || ($.status = "502")) && ($.error != "WAF_FILTERED") }',
    }),
  ])
  expect(responses[0].MetricTransformations[0].Dimensions).toEqual([{ Key: 'Status', Value: '$.status' }])
})

const saved = (made: Synthesis) => made.properties('AWS::Logs::QueryDefinition')

it('the operator’s guide explains every saved query', () => {
  const explained = [...section('Saved queries').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(Object.keys(queries))
  const names = (made: Synthesis) => saved(made).map(({ Name }) => Name.split('/')[1])
  expect(names(full)).toEqual(explained)
  expect(names(prod)).toEqual(explained.filter((name) => name !== 'blocked-requests'))
})

it.each(Object.entries(queries))(
  'the saved query %s uses existing fields of its log',
  (_, { in: logs, lines }) => {
    const known = new Set(logs.flatMap((log) => Object.keys(fieldsOf[log])))
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

it('the stack stays within the limits of CloudFormation with every option', () => {
  const template = full.template.toJSON()
  expect(Object.keys(template.Resources).length).toBeLessThan(500)
  expect(JSON.stringify(template).length).toBeLessThan(1_000_000)
})

it('an unknown stage is refused with a list of the known ones', () => {
  expect(() => stageSettings('staging')).toThrow(
    'There is no stage "staging"; lib/stages.ts has: dev, prod, standby; dev-NAME',
  )
  expect(() => stageSettings('constructor')).toThrow('There is no stage')
  expect(() => stageSettings('dev-')).toThrow('There is no stage')
  expect(() => stageSettings('dev-ANN')).toThrow('There is no stage')
})

it('dev-NAME is a stage like dev with a tag and a name of its own', () => {
  expect(stageSettings('dev-ann')).toEqual({
    ...stages.dev,
    gatewayLogRole: false,
    tags: { service: 'billing-data-api', stage: 'dev-ann' },
  })
  expect(synthesise('dev-ann').stack.stackName).toBe('billing-dev-ann')
})

it('every stage is tagged, and no tag or setting contains a secret', () => {
  for (const [name, settings] of Object.entries(stages)) {
    expect(settings.tags).toEqual({ service: 'billing-data-api', stage: name })
    expect(JSON.stringify(settings)).not.toMatch(/bd[kr]_|AKIA|secret|password/i)
  }
})
