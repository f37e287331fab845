import { readFileSync } from 'node:fs'
import { accessLogFields } from '../../lib/gateway/access-log.ts'
import { servedDocument } from '../../lib/stack/document-function.ts'
import { stageSettings, stages } from '../../lib/stages.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { table as definition } from '../../shared/store/table.ts'
import { everyOption, type Resource, type Synthesis, synthesise } from '../support/synthesis.ts'

const document = readFileSync('docs/operating.md', 'utf8')
let prod: Synthesis
beforeAll(() => {
  prod = synthesise('prod')
})

/** The name of an alarm without its stack. */
const nameOf = ({ Properties }: Resource): string => Properties.AlarmName.slice('billing-prod '.length)
const alarms = (): Resource[] => prod.all('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm)

describe('the alarms', () => {
  it('all tell the topic, when they ring and when they are over', () => {
    const [[topic]] = prod.all('AWS::SNS::Topic') as [[string, Resource]]
    for (const { Properties } of alarms()) {
      expect(Properties.AlarmActions).toEqual([{ Ref: topic }])
      expect(Properties.OKActions).toEqual([{ Ref: topic }])
      expect(Properties.TreatMissingData).toBe('notBreaching')
    }
  })

  it('may publish to it, which its own policy would otherwise prevent, and nobody without TLS', () => {
    const [[, policy]] = prod.all('AWS::SNS::TopicPolicy') as [[string, Resource]]
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    ])
  })

  it('watch the API, the table, each of its indexes, and each function three ways', () => {
    const each = [...catalogue, servedDocument].flatMap(({ id }) =>
      ['function-errors', 'function-throttles', 'function-near-timeout'].map((name) => `${name} ${id}`),
    )
    const indexes = definition.indexes.map(({ name }) => `dynamodb-throttles-${name}`)
    const others = ['5xx-rate', 'p99-latency', 'auth-failures', 'dynamodb-system-errors']
    expect(alarms().map(nameOf).sort()).toEqual(
      [...each, ...indexes, ...others, 'dynamodb-throttles-table'].sort(),
    )
  })

  it('are explained to the operator, every one and no other', () => {
    const explained = [...document.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names]) =>
      names!.replaceAll('`', '').split(', '),
    )
    expect(new Set(explained)).toEqual(new Set(alarms().map((alarm) => nameOf(alarm).split(' ')[0])))
  })

  it('reach somebody by letter where the stage says whom', () => {
    const full = synthesise('full', everyOption)
    full.template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'operator@example.org',
    })
  })
})

describe('the logs', () => {
  it('say of a request nothing personal', () => {
    const [[, stage]] = prod.all('AWS::ApiGateway::Stage') as [[string, Resource]]
    expect(JSON.parse(stage.Properties.AccessLogSetting.Format)).toEqual(accessLogFields)
    expect(stage.Properties.AccessLogSetting.Format).not.toMatch(
      /identity|\.path\b|requestOverride|querystring|authorizer|header/i,
    )
    for (const { DataTraceEnabled } of stage.Properties.MethodSettings)
      expect(DataTraceEnabled).not.toBe(true)
  })

  it('are all bounded in time', () => {
    for (const [, { Properties }] of prod.all('AWS::Logs::LogGroup'))
      expect(Properties.RetentionInDays).toBe(stages.prod.logs.days)
  })

  it('count refused credentials', () => {
    const [[, filter]] = prod.all('AWS::Logs::MetricFilter') as [[string, Resource]]
    expect(filter.Properties.FilterPattern).toBe('{ $.status = "401" }')
  })
})

it('the dashboard shows every route, function and index', () => {
  const [[, dashboard]] = prod.all('AWS::CloudWatch::Dashboard') as [[string, Resource]]
  const body = JSON.stringify(dashboard.Properties.DashboardBody)
  for (const { id } of [...catalogue, servedDocument]) expect(body).toContain(id)
  for (const { name } of definition.indexes) expect(body).toContain(name)
})

it('the stack tells what the operator needs', () => {
  for (const name of ['Url', 'TableName', 'DashboardUrl', 'AlarmTopic']) {
    prod.template.hasOutput(name, {})
    expect(document).toContain(`\`${name}\``)
  }
})

it('the stack fits into CloudFormation with every option', () => {
  const template = synthesise('full', everyOption).template.toJSON()
  expect(Object.keys(template.Resources).length).toBeLessThan(500)
  expect(JSON.stringify(template).length).toBeLessThan(1_000_000)
})

it('a stage that is not in the settings file is refused, naming those that are', () => {
  expect(() => stageSettings('staging')).toThrow('There is no stage "staging"; lib/stages.ts has: dev, prod')
  expect(() => stageSettings('constructor')).toThrow('There is no stage')
})

it('every stage is tagged, and no tag or setting holds a secret', () => {
  for (const [name, settings] of Object.entries(stages)) {
    expect(settings.tags).toEqual({ service: 'billing-data-api', stage: name })
    expect(JSON.stringify(settings)).not.toMatch(/bdk_|AKIA|secret|password/i)
  }
})
