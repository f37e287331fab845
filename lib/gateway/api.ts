import { Stack } from 'aws-cdk-lib'
import {
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LambdaIntegration,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { type Deployable, routesOf } from '../../shared/contract/deployable.ts'
import { acceptedMethods, corsHeadersFor, preflightHeadersFor } from '../../shared/http/responses.ts'
import type { ApiFunction } from '../functions/api-function.ts'
import type { StageSettings, Throttle } from '../stages.ts'
import { AccessLog } from './access-log.ts'
import { addFixedResponse, type FixedResponse, literalHeaders } from './fixed-response.ts'
import { GatewayErrors, gatewayError } from './gateway-errors.ts'

interface BillingApiProps {
  readonly functions: readonly ApiFunction[]
  readonly stage: string
  readonly settings: StageSettings
}

/**
 * TLS 1.2 and 1.3 with forward secrecy and post-quantum key exchange, for the generated address and the
 * operator's own domain name. AWS advises the endpoint access mode BASIC for an API that already has clients.
 */
export const transportSecurity = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.BASIC,
} as const

/** A method with settings of its own inherits none from the stage. */
const methodOptions = ({ rate, burst }: Throttle): MethodDeploymentOptions => ({
  throttlingRateLimit: rate,
  throttlingBurstLimit: burst,
  metricsEnabled: true,
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
})

type Route = Deployable & Pick<ApiFunction, 'alias'>

/** The methods of each route, and fixed responses in the specification's envelope for everything else. */
export class BillingApi extends Construct {
  readonly rest: RestApi
  readonly accessLog: AccessLog

  constructor(scope: Construct, id: string, { functions, stage, settings }: BillingApiProps) {
    super(scope, id)
    const routes = functions.flatMap(({ deployable, alias }) =>
      routesOf(deployable, settings).map((route): Route => ({ ...route, alias })),
    )
    const routesByPath = Map.groupBy(routes, ({ path }) => path)
    const noSuchRoute = `There is no such path and method; the paths are ${[...routesByPath.keys()].join(', ')}.`
    const headers = corsHeadersFor(settings.corsOrigin)
    this.accessLog = new AccessLog(this, 'AccessLog', settings)
    this.rest = this.createApi(stage, settings, routes)
    this.accessLog.limitExecutionLog(this.rest, stage)
    for (const [path, routesOfPath] of routesByPath) this.addPath(path, routesOfPath, settings.corsOrigin)
    this.addCatchAll(gatewayError('route_not_found', noSuchRoute, headers))
    new GatewayErrors(this, 'Errors', { api: this.rest, headers, noSuchRoute })
  }

  private createApi(stage: string, settings: StageSettings, routes: readonly Route[]): RestApi {
    const api = new RestApi(this, 'Rest', {
      // The name identifies the API in metrics, so it is unique in an account.
      restApiName: Stack.of(this).stackName,
      description: 'Subscription Billing Data API',
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // Functions receive bodies byte for byte, in base64. Otherwise the gateway would decode them as text.
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: settings.domain?.only === true,
      cloudWatchRole: settings.gatewayLogRole,
      deployOptions: {
        stageName: stage,
        // For methods without settings of their own: those with fixed responses.
        ...methodOptions(settings.throttle.read),
        methodOptions: Object.fromEntries(
          routes.flatMap((route) =>
            acceptedMethods(route).map((method) => [
              `${route.path}/${method}`,
              methodOptions(settings.throttle[route.throttle]),
            ]),
          ),
        ),
        tracingEnabled: settings.tracing,
        accessLogDestination: this.accessLog.destination,
        accessLogFormat: this.accessLog.format,
      },
    })
    Object.assign(api.node.defaultChild as CfnRestApi, transportSecurity)
    // The library always prints the generated address. The stack prints the addresses that work (`baseUrls`).
    api.node.tryRemoveChild('Endpoint')
    return api
  }

  private addPath(path: string, routes: readonly Route[], origin: string | undefined): void {
    const resource = this.rest.root.resourceForPath(path)
    for (const route of routes) {
      const integration = new LambdaIntegration(route.alias as IFunction, { allowTestInvoke: false })
      for (const method of acceptedMethods(route)) resource.addMethod(method, integration)
    }
    const methods = routes.flatMap(acceptedMethods)
    const allow = methods.join(', ')
    // The gateway substitutes the variable, so that its response equals the local service's.
    const detail = `$context.httpMethod is not allowed here; use ${allow}.`
    const headers = { ...corsHeadersFor(origin), allow }
    addFixedResponse(resource, 'ANY', gatewayError('method_not_allowed', detail, headers))
    if (!origin) return
    const allowed = literalHeaders(preflightHeadersFor(origin, methods))
    addFixedResponse(resource, 'OPTIONS', { status: '204', body: '', headers: allowed })
  }

  /**
   * Adds methods for all other paths. Otherwise the gateway would check credentials first, and return 403 for
   * an unknown path if the `Authorization` header is not an AWS signature.
   */
  private addCatchAll(response: FixedResponse): void {
    for (const resource of [this.rest.root, this.rest.root.addResource('{path+}')])
      addFixedResponse(resource, 'ANY', response)
  }
}
