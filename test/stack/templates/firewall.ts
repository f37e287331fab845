import { clientRates, RETRY_AFTER_SECONDS, WINDOW_SECONDS } from '../../../lib/gateway/rate-rules.ts'
import { stageSettings } from '../../../lib/stages.ts'
import { errorKinds } from '../../../shared/errors.ts'
import { everyOption, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)
const aclOf = (synthesis: Synthesis) => synthesis.only('AWS::WAFv2::WebACL').Properties
const ruleNamed = (synthesis: Synthesis, name: string) =>
  aclOf(synthesis).Rules.find(({ Name }: { Name: string }) => Name === name)

it('the firewall refuses blocked addresses, limits each address and each application, and then refuses known attacks', () => {
  expect(aclOf(full).Rules).toMatchObject([
    { Priority: 0, Name: 'BlockedAddresses' },
    { Priority: 1, Name: 'RequestsPerAddress' },
    { Priority: 2, Name: 'RequestsPerApplication' },
    { Priority: 3, Name: 'AWSManagedRulesKnownBadInputsRuleSet' },
  ])
  full.template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1)
})

it('the firewall blocks no IPv4 or IPv6 address until the operator enters it', () => {
  const sets = full.all('AWS::WAFv2::IPSet')
  expect(sets.map(([, { Properties }]) => Properties)).toMatchObject([
    { IPAddressVersion: 'IPV4', Addresses: [] },
    { IPAddressVersion: 'IPV6', Addresses: [] },
  ])
  const { Action, Statement } = ruleNamed(full, 'BlockedAddresses')
  expect(Action).toEqual({ Block: {} })
  expect(Statement.OrStatement.Statements).toEqual(
    sets.map(([id]) => ({ IPSetReferenceStatement: { Arn: { 'Fn::GetAtt': [id, 'Arn'] } } })),
  )
})

const rateBasedStatement = (synthesis: Synthesis, rule: string) =>
  ruleNamed(synthesis, rule).Statement.RateBasedStatement

it('the firewall counts the requests of an address by IP', () => {
  expect(rateBasedStatement(full, 'RequestsPerAddress').AggregateKeyType).toBe('IP')
})

it('the firewall identifies an application by its id and credentials, in any spelling', () => {
  const { AggregateKeyType, CustomKeys } = rateBasedStatement(full, 'RequestsPerApplication')
  const key = (Name: string, ...types: string[]) => ({
    Header: { Name, TextTransformations: types.map((Type, Priority) => ({ Priority, Type })) },
  })
  expect(AggregateKeyType).toBe('CUSTOM_KEYS')
  expect(CustomKeys).toEqual([
    key('x-app-id', 'NONE'),
    key('authorization', 'COMPRESS_WHITE_SPACE', 'LOWERCASE'),
  ])
})

it.each(['RequestsPerAddress', 'RequestsPerApplication'])(
  'the firewall’s rule %s returns 429 in the format of the API',
  (rule) => {
    const { CustomResponse } = ruleNamed(full, rule).Action.Block
    const { status: code, title } = errorKinds.too_many_requests
    expect(CustomResponse.ResponseCode).toBe(code)
    const { Content, ContentType } = aclOf(full).CustomResponseBodies[CustomResponse.CustomResponseBodyKey]
    const detail = 'One address may send 100 and one application 50 requests per second over 60 seconds.'
    expect(ContentType).toBe('APPLICATION_JSON')
    expect(JSON.parse(Content)).toEqual({ errors: [{ code, title, detail }] })
    const headers: { Name: string; Value: string }[] = CustomResponse.ResponseHeaders
    expect(Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]))).toMatchObject({
      'retry-after': '30',
      'cache-control': 'no-store',
      'access-control-allow-origin': 'https://app.example.org',
    })
    const names = headers.map(({ Name }) => Name)
    // The content type of the body sets this header.
    expect(names).not.toContain('content-type')
    expect(new Set(names).size).toBe(names.length)
  },
)

it('the three retries of the client, after the firewall’s Retry-After, outlast the evaluation window', () => {
  expect(RETRY_AFTER_SECONDS).toBeLessThanOrEqual(60)
  expect(3 * RETRY_AFTER_SECONDS).toBeGreaterThan(WINDOW_SECONDS)
})

it('the firewall has no log by default', () => {
  expect(prod.all('AWS::WAFv2::LoggingConfiguration')).toEqual([])
})

it.each([
  ['prod', prod],
  ['full', full],
])('the firewall of the stage %s shows no API key and no sampled request', (_, synthesis) => {
  const acl = aclOf(synthesis)
  // This also covers the values by which rate rules count.
  expect(acl.DataProtectionConfig.DataProtections).toEqual([
    { Action: 'SUBSTITUTION', Field: { FieldType: 'SINGLE_HEADER', FieldKeys: ['authorization'] } },
  ])
  for (const { VisibilityConfig } of [acl, ...acl.Rules])
    expect(VisibilityConfig.SampledRequestsEnabled).toBe(false)
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
    .find(([, found]) => found.Properties.LogGroupName === 'aws-waf-logs-billing-full')!
  expect(Properties.RetentionInDays).toBe(everyOption.logs.days)
  // The firewall does not accept the ARN of a log group that ends with an asterisk.
  expect(JSON.stringify(log.Properties.LogDestinationConfigs)).toMatch(
    new RegExp(`:log-group:",\\{"Ref":"${group}"\\}\\]\\]\\}\\]$`),
  )
})

const rateOf = (synthesis: Synthesis, rule: string): number => {
  const { Limit, EvaluationWindowSec } = rateBasedStatement(synthesis, rule)
  expect(EvaluationWindowSec).toBe(WINDOW_SECONDS)
  return Limit / WINDOW_SECONDS
}

it('the firewall limits an application and an address to half of the rate of one operation', () => {
  const { read, write } = stageSettings('prod').throttle
  const rate = rateOf(prod, 'RequestsPerApplication')
  expect(rate).toBeLessThanOrEqual(Math.min(read.rate, write.rate) / 2)
  expect(rateOf(prod, 'RequestsPerAddress')).toBe(rate)
})

it('the firewall limits an address and an application to the rates of the stage, by default to the greatest rate of a method', () => {
  expect(rateOf(full, 'RequestsPerAddress')).toBe(100)
  expect(rateOf(full, 'RequestsPerApplication')).toBe(50)
  expect(clientRates({ ...everyOption, firewall: { log: true, addressRate: 100 } })).toEqual({
    applicationRate: 500,
    addressRate: 100,
  })
})
