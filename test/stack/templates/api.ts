import { ResponseType } from 'aws-cdk-lib/aws-apigateway'
import { deployables } from '../../../shared/catalogue.ts'
import { pagePaths, routesOf } from '../../../shared/contract/deployable.ts'
import { documentFunction } from '../../../shared/contract/document-function.ts'
import { type ErrorKind, errorKinds } from '../../../shared/errors.ts'
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

/** By logical id. */
const pathsById = ({ all }: Synthesis): Map<string, string> => {
  const resources = Object.fromEntries(all('AWS::ApiGateway::Resource'))
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources[id]!.Properties
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`
  }
  return new Map(Object.keys(resources).map((id) => [id, pathOf(id)]))
}

interface GatewayMethod {
  readonly path: string
  readonly method: string
  readonly properties: Resource['Properties']
}

const gatewayMethods = (synthesis: Synthesis): GatewayMethod[] => {
  const paths = pathsById(synthesis)
  return synthesis.properties('AWS::ApiGateway::Method').map((properties) => ({
    path: paths.get(properties.ResourceId.Ref) ?? '/',
    method: properties.HttpMethod,
    properties,
  }))
}

/** HEAD too if the function responds to GET. */
const acceptedMethods = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])
const declaredMethods = deployables.flatMap(({ method, path }) =>
  acceptedMethods(method).map((accepted) => ({ method: accepted, path })),
)
const methodAndPath = ({ method, path }: Pick<GatewayMethod, 'method' | 'path'>): string =>
  `${method} ${path}`

const isProxy = ({ properties }: GatewayMethod): boolean => properties.Integration.Type === 'AWS_PROXY'
const targetOf = ({ properties }: GatewayMethod): string => JSON.stringify(properties.Integration.Uri)

it('the gateway has the methods of the catalogue and of the document, and HEAD beside each GET', () => {
  const proxies = gatewayMethods(prod).filter(isProxy)
  expect(proxies.map(methodAndPath).sort()).toEqual(declaredMethods.map(methodAndPath).sort())
})

it('each method of the gateway calls its own function, which only HEAD shares with GET', () => {
  const proxiesByTarget = Map.groupBy(gatewayMethods(prod).filter(isProxy), targetOf)
  const methodsByFunction = [...proxiesByTarget.values()].map((proxies) =>
    proxies.map(({ method }) => method).sort(),
  )
  const expected = deployables.map(({ method }) => acceptedMethods(method))
  expect(methodsByFunction.sort()).toEqual(expected.sort())
})

it('the gateway passes bodies unchanged, in base64', () => {
  const api = prod.only('AWS::ApiGateway::RestApi')
  expect(api.Properties.BinaryMediaTypes).toEqual(['*/*'])
  expect(api.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] })
})

/** Without credentials, for all methods of a path that no function has. */
const expectErrorResponse = (path: string, kind: ErrorKind) => {
  const { status: code, title } = errorKinds[kind]
  const catchAll = gatewayMethods(prod).filter(
    (gatewayMethod) => gatewayMethod.path === path && gatewayMethod.method === 'ANY',
  )
  expect(catchAll).toHaveLength(1)
  const { Integration, AuthorizationType, ApiKeyRequired, MethodResponses } = catchAll[0]!.properties
  expect(Integration.Type).toBe('MOCK')
  expect(AuthorizationType).toBe('NONE')
  expect(ApiKeyRequired ?? false).toBe(false)
  // Without this, a mock fails, since every media type counts as binary.
  expect(Integration.ContentHandling).toBe('CONVERT_TO_TEXT')
  const [response] = Integration.IntegrationResponses
  expect(response.StatusCode).toBe(String(code))
  const { errors } = JSON.parse(response.ResponseTemplates['application/json'])
  expect(errors).toEqual([{ code, title, detail: expect.any(String) }])
  const headers = response.ResponseParameters
  expect(headers).toMatchObject({ 'method.response.header.x-request-id': 'context.requestId' })
  expect(Object.keys(MethodResponses[0].ResponseParameters)).toEqual(Object.keys(headers))
  return { detail: errors[0].detail as string, headers }
}

it.each([...new Set(deployables.map(({ path }) => path))])(
  'the gateway responds with 405 to the methods that %s does not have, without credentials',
  (path) => {
    const { detail, headers } = expectErrorResponse(path, 'method_not_allowed')
    const allowed = declaredMethods.filter((declared) => declared.path === path).map(({ method }) => method)
    expect(detail).toMatch(/^\$context\.httpMethod is not allowed/)
    for (const method of allowed) expect(detail).toContain(method)
    expect(headers).toMatchObject({ 'method.response.header.allow': `'${allowed.join(', ')}'` })
  },
)

// "/{path+}" stands for all other paths at any depth, but not for the root.
it.each(['/{path+}', '/'])(
  'the gateway responds with 404 and the known paths to all methods of %s, without credentials',
  (path) => {
    const { detail } = expectErrorResponse(path, 'route_not_found')
    for (const deployable of deployables) expect(detail).toContain(deployable.path)
  },
)

interface MethodSetting {
  readonly ResourcePath: string
  readonly HttpMethod: string
  readonly ThrottlingRateLimit: number
}
const methodSettings = ({ only }: Synthesis): MethodSetting[] =>
  only('AWS::ApiGateway::Stage').Properties.MethodSettings

it('each method is throttled, counted and logged, since a method with settings inherits none of the stage', () => {
  const settings = methodSettings(prod)
  // The gateway writes ~1 for each / after the first.
  const setMethods = settings
    .filter(({ ResourcePath }) => ResourcePath !== '/*')
    .map(({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath.replaceAll('~1', '/')}`)
  expect(setMethods.sort()).toEqual(declaredMethods.map(({ method, path }) => `${method} /${path}`).sort())
  for (const setting of settings)
    expect(setting).toMatchObject({
      ThrottlingRateLimit: expect.any(Number),
      ThrottlingBurstLimit: expect.any(Number),
      MetricsEnabled: true,
      LoggingLevel: 'ERROR',
      DataTraceEnabled: false,
    })
})

it('the gateway does not trace, because X-Ray would keep the URLs of requests and the addresses of callers', () => {
  expect(prod.only('AWS::ApiGateway::Stage').Properties.TracingEnabled).toBe(false)
})

it('the document and the documentation page are throttled more than operations', () => {
  const rateOf = (synthesis: Synthesis, path: string) =>
    methodSettings(synthesis).find(({ ResourcePath }) => ResourcePath === path)!.ThrottlingRateLimit
  expect(rateOf(prod, '/~1openapi.json')).toBe(10)
  expect(rateOf(full, '/~1docs~1scalar.js')).toBe(1)
})

const errorResponses = prod.properties('AWS::ApiGateway::GatewayResponse')

it('gateway errors of every type have a fixed status, except those of features that the API does not use', () => {
  // The features are request validation, authorisers, API keys of the gateway, and temporary credentials of
  // AWS.
  const unused = /^(BAD_REQUEST_|UNAUTHORIZED|ACCESS_DENIED|AUTHORIZER_|INVALID_API_KEY|QUOTA_|EXPIRED_TOKEN)/
  const types = Object.values(ResponseType)
    .filter((value) => value instanceof ResponseType)
    .map(({ responseType }) => responseType)
    .filter((type) => !unused.test(type))
  const statuses = Object.fromEntries(
    errorResponses.map(({ ResponseType: type, StatusCode }) => [type, StatusCode]),
  )
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
  for (const { ResponseTemplates, ResponseParameters: headers, StatusCode } of errorResponses) {
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

describe('the documentation page and the console', () => {
  const pages = pagePaths(documentFunction)
  const proxiedGets = (synthesis: Synthesis) =>
    gatewayMethods(synthesis).filter(
      (gatewayMethod) => gatewayMethod.method === 'GET' && isProxy(gatewayMethod),
    )

  it('are five paths', () => expect(pages).toHaveLength(5))

  it.each(pages)('are served by the function of the document if the stage has them: %s', (page) => {
    const targets = new Map(
      proxiedGets(full).map((gatewayMethod) => [gatewayMethod.path, targetOf(gatewayMethod)]),
    )
    expect(targets.get(page)).toBe(targets.get(documentFunction.path))
  })

  it.each(pages)('are absent from a stage without them: %s', (page) => {
    expect(proxiedGets(prod).map(({ path }) => path)).not.toContain(page)
  })
})

it('pages of the stage’s origin can read every response of the gateway', () => {
  const preflights = gatewayMethods(full).filter(({ method }) => method === 'OPTIONS')
  const routes = deployables.flatMap((deployable) => routesOf(deployable, { docs: true, console: true }))
  const paths = new Set(routes.map(({ path }) => path))
  expect(preflights).toHaveLength(paths.size)
  for (const properties of full.properties('AWS::ApiGateway::GatewayResponse'))
    expect(properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.access-control-allow-origin': "'https://app.example.org'",
    })
})

it('a stage without an origin has no preflight method and no header of CORS', () => {
  expect(gatewayMethods(prod).filter(({ method }) => method === 'OPTIONS')).toEqual([])
  expect(JSON.stringify(prod.template.toJSON())).not.toContain('access-control')
})

const customUrl = 'https://billing.example.org'
const generatedUrl = { 'Fn::Join': ['', expect.arrayContaining(['https://', '.execute-api.'])] }

describe.each<{
  name: string
  synthesis: Synthesis
  hasZone: boolean
  isOnlyAddress: boolean
  urls: object
}>([
  {
    name: 'with a hosted zone',
    synthesis: full,
    hasZone: true,
    isOnlyAddress: false,
    urls: { Url: customUrl, GeneratedUrl: generatedUrl },
  },
  {
    name: 'with a hosted zone, in place of the generated address',
    synthesis: synthesise('dev-ann', devAnn),
    hasZone: true,
    isOnlyAddress: true,
    urls: { Url: customUrl },
  },
  {
    name: 'without a hosted zone',
    synthesis: synthesise('standby', standby),
    hasZone: false,
    isOnlyAddress: false,
    urls: { Url: generatedUrl },
  },
  {
    name: 'without a hosted zone, in place of the generated address',
    synthesis: synthesise('prod', withEvents),
    hasZone: false,
    isOnlyAddress: true,
    urls: { Url: customUrl },
  },
])('a custom domain $name', ({ synthesis, hasZone, isOnlyAddress, urls }) => {
  const outputs = Object.entries<{ Description?: string; Value: unknown }>(
    synthesis.template.toJSON().Outputs,
  )

  it.each(['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName'])('needs TLS 1.2: %s', (type) => {
    const SecurityPolicy = 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09'
    expect(synthesis.properties(type)).toMatchObject([{ SecurityPolicy, EndpointAccessMode: 'BASIC' }])
  })

  it(`${isOnlyAddress ? 'disables' : 'leaves'} the generated address`, () => {
    const [api] = synthesis.properties('AWS::ApiGateway::RestApi')
    expect(api.DisableExecuteApiEndpoint).toBe(isOnlyAddress)
  })

  it(`${hasZone ? 'has its record' : 'asks the operator for its record'}`, () => {
    expect(synthesis.all('AWS::Route53::RecordSet')).toHaveLength(hasZone ? 1 : 0)
    const requests = outputs.filter(([, { Description = '' }]) =>
      Description.includes('CNAME record for billing'),
    )
    expect(requests).toHaveLength(hasZone ? 0 : 1)
  })

  it('prints only URLs that work', () => {
    const printed = outputs
      .filter(([id, { Value }]) => id !== 'DashboardUrl' && JSON.stringify(Value).includes('https://'))
      .map(([id, { Value }]) => [id, Value])
    expect(Object.fromEntries(printed)).toEqual(urls)
  })
})
