import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { ApiError } from '../../shared/errors.ts'
import { corsHeadersFor, errorResponse } from '../../shared/http/responses.ts'
import type { StageSettings } from '../stages.ts'

/** The firewall averages the requests of one client over this time. */
export const WINDOW_SECONDS = 60

/** After this, a client that sent at most twice its rate is below its rate again. */
export const RETRY_AFTER_SECONDS = WINDOW_SECONDS / 2

/**
 * In requests per second, for one application and one address. By default, both are the highest limit of any
 * method, so the firewall refuses no request that the method's own throttle would accept.
 */
export const clientRates = ({ throttle, firewall }: Pick<StageSettings, 'throttle' | 'firewall'>) => {
  const {
    applicationRate = Math.max(throttle.read.rate, throttle.write.rate),
    addressRate = applicationRate,
  } = firewall || {}
  return { applicationRate, addressRate }
}

/** Also the names in the firewall's metrics. */
export const rateRuleNames = ['RequestsPerAddress', 'RequestsPerApplication'] as const

const BODY_KEY = 'TooManyRequests'

/** The transformations make equivalent spellings of a header equal. */
const header = (
  name: string,
  ...transformations: string[]
): CfnWebACL.RateBasedStatementCustomKeyProperty => ({
  header: { name, textTransformations: transformations.map((type, priority) => ({ priority, type })) },
})

/**
 * One rule by address, and one by application id and credentials together: if it counted by id alone, a
 * stranger could use up an application's rate. Requests without either header count by address only. Both
 * return 429 in the envelope, without `x-request-id`, which the gateway does not add to responses of the
 * firewall.
 */
export const rateRules = (settings: StageSettings) => {
  const { applicationRate, addressRate } = clientRates(settings)
  const detail = `One address may send ${addressRate} and one application ${applicationRate} requests per second over ${WINDOW_SECONDS} seconds.`
  const { statusCode, body, headers } = errorResponse(new ApiError('too_many_requests', detail), '', {
    ...corsHeadersFor(settings.corsOrigin),
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
  // The firewall sets the content type itself and rejects this header.
  const { 'content-type': _, 'x-request-id': __, ...others } = headers
  const responseHeaders = Object.entries(others).map(([name, value]) => ({ name, value }))
  const customResponse = { responseCode: statusCode, customResponseBodyKey: BODY_KEY, responseHeaders }
  const rule = (
    name: (typeof rateRuleNames)[number],
    requestsPerSecond: number,
    aggregation: Pick<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType' | 'customKeys'>,
  ) => ({
    name,
    action: { block: { customResponse } },
    statement: {
      rateBasedStatement: {
        ...aggregation,
        limit: requestsPerSecond * WINDOW_SECONDS,
        evaluationWindowSec: WINDOW_SECONDS,
      },
    },
  })
  const credentials = [
    header('x-app-id', 'NONE'),
    header('authorization', 'COMPRESS_WHITE_SPACE', 'LOWERCASE'),
  ]
  return {
    rules: [
      rule('RequestsPerAddress', addressRate, { aggregateKeyType: 'IP' }),
      rule('RequestsPerApplication', applicationRate, {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: credentials,
      }),
    ],
    bodies: { [BODY_KEY]: { content: body, contentType: 'APPLICATION_JSON' } },
  }
}
