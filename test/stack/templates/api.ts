import { ResponseType } from 'aws-cdk-lib/aws-apigateway'
import { deployables } from '../../../shared/catalogue.ts'
import { pagePaths, routesOf } from '../../../shared/contract/deployable.ts'
import { documentFunction } from '../../../shared/contract/document-function.ts'
import { errorKinds } from '../../../shared/errors.ts'
import {
  devAnn,
  everyOption,
  type Resource,
  type Synthesis,
  standby,
  synthesise,
  withEvents,
} from '../../support/stack/synthesis.ts'

const prod = synthesise('prod')
const full = synthesise('full', everyOption)

/** Returns the path of each resource of the gateway, by logical id. */
const paths = ({ all }: Synthesis): Map<string, string> => {
  const resources = Object.fromEntries(all('AWS::ApiGateway::Resource'))
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources[id]!.Properties
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`
  }
  return new Map(Object.keys(resources).map((id) => [id, pathOf(id)]))
}

const methods = (made: Synthesis): { path: string; method: string; properties: Resource['Properties'] }[] => {
  const at = paths(made)
  return made.properties('AWS::ApiGateway::Method').map((properties) => ({
    path: at.get(properties.ResourceId.Ref) ?? '/',
    method: properties.HttpMethod,
    properties,
  }))
}

const routesAndMethods = deployables.flatMap(({ method, path }) =>
  (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((accepted) => ({ method: accepted, path })),
)

it('the gateway has the methods of the catalogue and the document, and HEAD beside each GET, each calling its own function as a proxy', () => {
  const proxied = methods(prod).filter(({ properties }) => properties.Integration.Type === 'AWS_PROXY')
  expect(proxied.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    routesAndMethods.map(({ method, path }) => `${method} ${path}`).sort(),
  )
  const called = Map.groupBy(proxied, ({ properties }) => JSON.stringify(properties.Integration.Uri))
  const calledBy = [...called.values()].map((group) => group.map(({ method }) => method).sort())
  const declared = deployables.map(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  expect(calledBy.sort()).toEqual(declared.sort())
})

it('the gateway passes bodies on as sent, in base64', () => {
  const api = prod.only('AWS::ApiGateway::RestApi')
  expect(api.Properties.BinaryMediaTypes).toEqual(['*/*'])
  expect(api.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] })
})

const allowed = (path: string) =>
  routesAndMethods.filter((each) => each.path === path).map(({ method }) => method)
it.each([
  ...[...new Set(deployables.map(({ path }) => path))].map((path) => [path, 'method_not_allowed'] as const),
  // All other paths at any depth, without the root.
  ['/{path+}', 'route_not_found'] as const,
  ['/', 'route_not_found'] as const,
])(
  'the gateway responds by itself to methods that %s does not have, before it looks at credentials',
  (path, kind) => {
    const { status: code, title } = errorKinds[kind]
    const here = methods(prod).filter((each) => each.path === path && each.method === 'ANY')
    expect(here).toHaveLength(1)
    const { Integration, AuthorizationType, ApiKeyRequired, MethodResponses } = here[0]!.properties
    expect(Integration.Type).toBe('MOCK')
    expect(AuthorizationType).toBe('NONE')
    expect(ApiKeyRequired ?? false).toBe(false)
    // Without this, a mock fails, since every media type counts as binary.
    expect(Integration.ContentHandling).toBe('CONVERT_TO_TEXT')
    const [response] = Integration.IntegrationResponses
    expect(response.StatusCode).toBe(String(code))
    const { errors } = JSON.parse(response.ResponseTemplates['application/json'])
    const named = kind === 'method_not_allowed' ? allowed(path) : deployables.map((each) => each.path)
    expect(errors).toEqual([{ code, title, detail: expect.any(String) }])
    for (const each of named) expect(errors[0].detail).toContain(each)
    if (kind === 'method_not_allowed')
      expect(errors[0].detail).toMatch(/^\$context\.httpMethod is not allowed/)
    expect(response.ResponseParameters).toMatchObject({
      'method.response.header.x-request-id': 'context.requestId',
      ...(kind === 'method_not_allowed'
        ? { 'method.response.header.allow': `'${allowed(path).join(', ')}'` }
        : {}),
    })
    const declared = Object.keys(MethodResponses[0].ResponseParameters)
    expect(declared).toEqual(Object.keys(response.ResponseParameters))
  },
)

it('each method is throttled, counted and logged, since a method with settings inherits none of the stage', () => {
  const stage = prod.only('AWS::ApiGateway::Stage')
  const settings = stage.Properties.MethodSettings as Record<string, unknown>[]
  const each = settings.filter(({ ResourcePath }) => ResourcePath !== '/*')
  // The gateway writes ~1 for each / after the first.
  expect(each.map((s) => `${s.HttpMethod} ${String(s.ResourcePath).replaceAll('~1', '/')}`).sort()).toEqual(
    routesAndMethods.map(({ method, path }) => `${method} /${path}`).sort(),
  )
  for (const setting of settings)
    expect(setting).toMatchObject({
      ThrottlingRateLimit: expect.any(Number),
      ThrottlingBurstLimit: expect.any(Number),
      MetricsEnabled: true,
      LoggingLevel: 'ERROR',
      DataTraceEnabled: false,
    })
  // X-Ray would keep the URLs of requests and the addresses of callers.
  expect(stage.Properties.TracingEnabled).toBe(false)
  const rateOf = (made: Synthesis, path: string) =>
    made
      .only('AWS::ApiGateway::Stage')
      .Properties.MethodSettings.find(({ ResourcePath }: { ResourcePath: string }) => ResourcePath === path)
      .ThrottlingRateLimit
  expect(rateOf(prod, '/~1openapi.json')).toBe(10)
  expect(rateOf(full, '/~1docs~1scalar.js')).toBe(1)
})

const errors = prod.properties('AWS::ApiGateway::GatewayResponse')

it('gateway errors of every type have a fixed status, except those of features that the API does not use', () => {
  // Validation of requests, authorisers, API keys of the gateway, temporary credentials of AWS.
  const unused = /^(BAD_REQUEST_|UNAUTHORIZED|ACCESS_DENIED|AUTHORIZER_|INVALID_API_KEY|QUOTA_|EXPIRED_TOKEN)/
  const types = Object.values(ResponseType).flatMap((type) =>
    type instanceof ResponseType && !unused.test(type.responseType) ? [type.responseType] : [],
  )
  const statuses = Object.fromEntries(errors.map((each) => [each.ResponseType, each.StatusCode]))
  expect(Object.keys(statuses).sort()).toEqual(types.sort())
  expect(statuses).toEqual({
    DEFAULT_4XX: '400',
    MISSING_AUTHENTICATION_TOKEN: '404',
    RESOURCE_NOT_FOUND: '404',
    WAF_FILTERED: '403',
    REQUEST_TOO_LARGE: '413',
    UNSUPPORTED_MEDIA_TYPE: '404',
    INVALID_SIGNATURE: '404',
    THROTTLED: '429',
    DEFAULT_5XX: '500',
    INTEGRATION_TIMEOUT: '503',
    // Either of the two may be the type of an error if Lambda throttles a function.
    INTEGRATION_FAILURE: '503',
    API_CONFIGURATION_ERROR: '503',
  })
})

it('gateway errors have the format and the headers of every response, and Retry-After if a retry helps', () => {
  const titles = Object.values(errorKinds).map(({ status, title }) => `${status} ${title}`)
  for (const { ResponseTemplates, ResponseParameters: headers, StatusCode } of errors) {
    const { errors } = JSON.parse(ResponseTemplates['application/json'])
    expect(errors).toEqual([
      { code: Number(StatusCode), title: expect.any(String), detail: expect.any(String) },
    ])
    expect(titles).toContain(`${errors[0].code} ${errors[0].title}`)
    expect(headers).toMatchObject({
      'gatewayresponse.header.x-request-id': 'context.requestId',
      'gatewayresponse.header.content-type': "'application/json; charset=utf-8'",
      'gatewayresponse.header.cache-control': "'no-store'",
    })
    expect('gatewayresponse.header.retry-after' in headers).toBe(['429', '503'].includes(StatusCode))
  }
})

it('the function of the document serves the documentation page and the console if the stage has them', () => {
  const targets = (made: Synthesis) =>
    new Map(
      methods(made)
        .filter(({ method, properties }) => method === 'GET' && properties.Integration.Type === 'AWS_PROXY')
        .map(({ path, properties }) => [path, JSON.stringify(properties.Integration.Uri)]),
    )
  const [with_, without] = [targets(full), targets(prod)]
  expect(pagePaths(documentFunction)).toHaveLength(5)
  for (const page of pagePaths(documentFunction)) {
    expect({ page, value: with_.get(page) }).toEqual({ page, value: with_.get(documentFunction.path) })
    expect({ page, value: without.has(page) }).toEqual({ page, value: false })
  }
})

it('pages of the stage’s origin may read every response of the gateway', () => {
  const preflights = methods(full).filter(({ method }) => method === 'OPTIONS')
  const paths = new Set(
    deployables.flatMap((each) => routesOf(each, { docs: true, console: true })).map(({ path }) => path),
  )
  expect(preflights).toHaveLength(paths.size)
  for (const properties of full.properties('AWS::ApiGateway::GatewayResponse'))
    expect(properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.access-control-allow-origin': "'https://app.example.org'",
    })
  expect(methods(prod).filter(({ method }) => method === 'OPTIONS')).toEqual([])
  expect(JSON.stringify(prod.template.toJSON())).not.toContain('access-control')
})

const own = 'https://billing.example.org'
const generated = { 'Fn::Join': ['', expect.arrayContaining(['https://', '.execute-api.'])] }

it.each<[string, Synthesis, boolean, boolean, object]>([
  ['entered in its zone', full, true, false, { Url: own, GeneratedUrl: generated }],
  ['entered in its zone, and no other', synthesise('dev-ann', devAnn), true, true, { Url: own }],
  ['for the operator to enter', synthesise('standby', standby), false, false, { Url: generated }],
  ['for the operator to enter, and no other', synthesise('prod', withEvents), false, true, { Url: own }],
])(
  'a custom domain, %s, needs TLS 1.2, and all URLs that are printed work',
  (_, made, entered, only, urls) => {
    for (const type of ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'])
      expect(made.properties(type)).toEqual([
        expect.objectContaining({
          SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
          EndpointAccessMode: 'BASIC',
        }),
      ])
    expect(made.properties('AWS::ApiGateway::RestApi')[0].DisableExecuteApiEndpoint).toBe(only)
    expect(made.all('AWS::Route53::RecordSet')).toHaveLength(entered ? 1 : 0)
    const outputs = Object.entries<{ Description?: string; Value: unknown }>(made.template.toJSON().Outputs)
    const printed = outputs.filter(
      ([id, { Value }]) => id !== 'DashboardUrl' && JSON.stringify(Value).includes('https://'),
    )
    expect(Object.fromEntries(printed.map(([id, { Value }]) => [id, Value]))).toEqual(urls)
    const asked = outputs.filter(([, { Description = '' }]) => /CNAME record for billing/.test(Description))
    expect(asked).toHaveLength(entered ? 0 : 1)
  },
)
