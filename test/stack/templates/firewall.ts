import { RETRY_AFTER_SECONDS, WINDOW_SECONDS } from '../../../lib/gateway/rate-rules.ts'
import { stageSettings } from '../../../lib/stages.ts'
import { errorKinds } from '../../../shared/errors.ts'
import { everyOption, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)
const acl = (made: Synthesis) => made.only('AWS::WAFv2::WebACL').Properties
const named = (made: Synthesis, name: string) =>
  acl(made).Rules.find(({ Name }: { Name: string }) => Name === name)

it('the firewall refuses blocked addresses, limits each address and each application, and then looks for known attacks', () => {
  expect(acl(full).Rules.map(({ Name, Priority }: Record<string, unknown>) => [Priority, Name])).toEqual([
    [0, 'BlockedAddresses'],
    [1, 'RequestsPerAddress'],
    [2, 'RequestsPerApplication'],
    [3, 'AWSManagedRulesKnownBadInputsRuleSet'],
  ])
  full.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1)
})

it('the firewall blocks no address, of either version of IP, until the operator enters it', () => {
  const sets = full.all('AWS::WAFv2::IPSet')
  expect(sets.map(([, { Properties }]) => [Properties.IPAddressVersion, Properties.Addresses])).toEqual([
    ['IPV4', []],
    ['IPV6', []],
  ])
  const { Action, Statement } = named(full, 'BlockedAddresses')
  expect(Action).toEqual({ Block: {} })
  expect(Statement.OrStatement.Statements).toEqual(
    sets.map(([id]) => ({ IPSetReferenceStatement: { Arn: { 'Fn::GetAtt': [id, 'Arn'] } } })),
  )
})

it('the firewall identifies an application by its id and credentials, in any spelling', () => {
  expect(named(full, 'RequestsPerAddress').Statement.RateBasedStatement.AggregateKeyType).toBe('IP')
  const { AggregateKeyType, CustomKeys } = named(full, 'RequestsPerApplication').Statement.RateBasedStatement
  const key = (Name: string, ...types: string[]) => ({
    Header: { Name, TextTransformations: types.map((Type, Priority) => ({ Priority, Type })) },
  })
  expect({ AggregateKeyType, CustomKeys }).toEqual({
    AggregateKeyType: 'CUSTOM_KEYS',
    CustomKeys: [key('x-app-id', 'NONE'), key('authorization', 'COMPRESS_WHITE_SPACE', 'LOWERCASE')],
  })
})

it.each(['RequestsPerAddress', 'RequestsPerApplication'])(
  'the firewall’s rule %s returns 429 in the format of the API',
  (rule) => {
    const { CustomResponse } = named(full, rule).Action.Block
    const { status: code, title } = errorKinds.too_many_requests
    expect(CustomResponse.ResponseCode).toBe(code)
    const { Content, ContentType } = acl(full).CustomResponseBodies[CustomResponse.CustomResponseBodyKey]
    const detail = 'One address may send 100 and one application 500 requests per second over 60 seconds.'
    expect(ContentType).toBe('APPLICATION_JSON')
    expect(JSON.parse(Content)).toEqual({ errors: [{ code, title, detail }] })
    const headers: { Name: string; Value: string }[] = CustomResponse.ResponseHeaders
    expect(Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]))).toMatchObject({
      'retry-after': '30',
      'cache-control': 'no-store',
      'access-control-allow-origin': 'https://app.example.org',
    })
    const names = headers.map(({ Name }) => Name)
    expect(names).not.toContain('content-type')
    expect(new Set(names).size).toBe(names.length)
  },
)

it('the firewall sends a Retry-After with which the retries of the typed client outlast the window', () => {
  expect(RETRY_AFTER_SECONDS).toBeLessThanOrEqual(60)
  expect(3 * RETRY_AFTER_SECONDS).toBeGreaterThan(WINDOW_SECONDS)
})

it('the firewall’s log is absent by default, and never contains an API key', () => {
  for (const [log, made] of [
    [0, prod],
    [1, full],
  ] as const) {
    made.template.resourceCountIs('AWS::WAFv2::LoggingConfiguration', log)
    // This also covers the values by which rate rules count.
    expect(acl(made).DataProtectionConfig.DataProtections).toEqual([
      { Action: 'SUBSTITUTION', Field: { FieldType: 'SINGLE_HEADER', FieldKeys: ['authorization'] } },
    ])
    const views = [acl(made), ...acl(made).Rules].map((each) => each.VisibilityConfig)
    for (const { SampledRequestsEnabled } of views) expect(SampledRequestsEnabled).toBe(false)
  }
})

it('the firewall’s log contains blocked requests if the stage enables it, with the retention of other logs', () => {
  const log = full.only('AWS::WAFv2::LoggingConfiguration')
  expect(log.Properties).toMatchObject({
    RedactedFields: [{ SingleHeader: { Name: 'authorization' } }],
    LoggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
    },
  })
  const [group, { Properties }] = full
    .all('AWS::Logs::LogGroup')
    .find(([, each]) => each.Properties.LogGroupName === 'aws-waf-logs-billing-full')!
  expect(Properties.RetentionInDays).toBe(everyOption.logs.days)
  // The firewall does not accept the ARN of a log group that ends with an asterisk.
  expect(JSON.stringify(log.Properties.LogDestinationConfigs)).toMatch(
    new RegExp(`:log-group:",\\{"Ref":"${group}"\\}\\]\\]\\}\\]$`),
  )
})

it('the firewall limits an application to half of what one operation admits, and an address like it, or to rates of their own', () => {
  const limits = (made: Synthesis) =>
    ['RequestsPerAddress', 'RequestsPerApplication'].map((rule) => {
      const { Limit, EvaluationWindowSec } = named(made, rule).Statement.RateBasedStatement
      expect(EvaluationWindowSec).toBe(WINDOW_SECONDS)
      return Limit / WINDOW_SECONDS
    })
  const { read, write } = stageSettings('prod').throttle
  const [byAddress, byApplication] = limits(prod)
  expect(byAddress).toBe(byApplication)
  expect(byApplication).toBeLessThanOrEqual(Math.min(read.rate, write.rate) / 2)
  // Without a rate of its own, an application has the greater one of a method, 500.
  expect(limits(full)).toEqual([100, 500])
})
