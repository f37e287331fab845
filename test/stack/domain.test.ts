import { everyOption, synthesise } from '../support/synthesis.ts'

type Domain = NonNullable<typeof everyOption.domain>
const { hostedZone } = everyOption.domain as Required<Domain>
const own = 'https://billing.example.org'
const generated = { 'Fn::Join': ['', expect.arrayContaining(['https://', '.execute-api.'])] }

describe.each<[string, Partial<Domain>, boolean, Record<string, unknown>]>([
  ['entered in its zone', { hostedZone }, false, { Url: own, GeneratedUrl: generated }],
  ['entered in its zone, and no other', { hostedZone, only: true }, true, { Url: own }],
  ['for the operator to enter', {}, false, { Url: generated }],
  ['for the operator to enter, and no other', { only: true }, true, { Url: own }],
])('a custom domain, %s', (_, parts, disabled, urls) => {
  const { hostedZone: __, ...domain } = everyOption.domain!
  const made = synthesise('named', { ...everyOption, domain: { ...domain, ...parts } })
  const outputs = made.template.toJSON().Outputs as Record<string, { Description?: string; Value: unknown }>

  it.each(['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'])(
    'every %s needs TLS 1.2 or newer',
    (type) => {
      expect(made.properties(type).map((each) => [each.SecurityPolicy, each.EndpointAccessMode])).toEqual([
        ['SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', 'BASIC'],
      ])
    },
  )

  it('a custom domain is served beside the generated address unless that is disabled', () => {
    const { Properties: api } = made.only('AWS::ApiGateway::RestApi')
    expect(api.DisableExecuteApiEndpoint).toBe(disabled)
    expect(made.all('AWS::Route53::RecordSet')).toHaveLength(parts.hostedZone ? 1 : 0)
  })

  it('prints the URLs of a custom domain, all of which work', () => {
    const printed = Object.entries(outputs).filter(
      ([id, { Value }]) => id !== 'DashboardUrl' && JSON.stringify(Value).includes('https://'),
    )
    expect(Object.fromEntries(printed.map(([id, { Value }]) => [id, Value]))).toEqual(urls)
    const asked = Object.values(outputs).filter(({ Description }) =>
      /CNAME record for billing/.test(Description ?? ''),
    )
    expect(asked).toHaveLength(parts.hostedZone ? 0 : 1)
  })
})
