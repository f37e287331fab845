import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { ApiError } from '../../shared/errors.ts'
import { corsHeadersFor } from '../../shared/http/cors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import type { StageSettings } from '../stages.ts'
import { clientRate, RETRY_AFTER_SECONDS, WINDOW_SECONDS } from './rates.ts'

/** The names of the rules, and of what they block in the firewall's metrics. */
export const rateRuleNames = ['RequestsPerAddress', 'RequestsPerApplication'] as const

const BODY_KEY = 'TooManyRequests'

/** The rules that bound how much one client sends, and the bodies of their answers. */
export interface RateRules {
  readonly rules: readonly Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>[]
  readonly bodies: Record<string, CfnWebACL.CustomResponseBodyProperty>
}

/** A part of the key that requests are counted by, after transformations that make one of spellings with one meaning. */
const header = (
  name: string,
  ...transformations: string[]
): CfnWebACL.RateBasedStatementCustomKeyProperty => ({
  header: { name, textTransformations: transformations.map((type, priority) => ({ priority, type })) },
})

/**
 * One rule by address, and one by application id together with its credentials: by the id alone a stranger could use
 * up somebody's rate. Requests that lack either header are counted by address only. Both answer 429 in the envelope
 * (S2). The firewall makes this answer alone: the gateway adds no `x-request-id` to it.
 */
export const rateRules = ({ throttle, corsOrigin }: StageSettings): RateRules => {
  const rate = clientRate(throttle)
  const detail = `One address, and one application, may send ${rate} requests a second over ${WINDOW_SECONDS} seconds.`
  const { statusCode, body, headers } = errorResponse(new ApiError('too_many_requests', detail), '', {
    ...corsHeadersFor(corsOrigin),
    'retry-after': String(RETRY_AFTER_SECONDS),
  })
  // The firewall sets the content type by itself and refuses to be told.
  const { 'content-type': _, 'x-request-id': __, ...others } = headers as Record<string, string>
  const responseHeaders = Object.entries(others).map(([name, value]) => ({ name, value }))
  const customResponse = { responseCode: statusCode, customResponseBodyKey: BODY_KEY, responseHeaders }
  const rule = (
    name: (typeof rateRuleNames)[number],
    by: Pick<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType' | 'customKeys'>,
  ) => ({
    name,
    action: { block: { customResponse } },
    statement: {
      rateBasedStatement: { ...by, limit: rate * WINDOW_SECONDS, evaluationWindowSec: WINDOW_SECONDS },
    },
  })
  const credentials = [
    header('x-app-id', 'NONE'),
    header('authorization', 'COMPRESS_WHITE_SPACE', 'LOWERCASE'),
  ]
  return {
    rules: [
      rule('RequestsPerAddress', { aggregateKeyType: 'IP' }),
      rule('RequestsPerApplication', { aggregateKeyType: 'CUSTOM_KEYS', customKeys: credentials }),
    ],
    bodies: { [BODY_KEY]: { content: body, contentType: 'APPLICATION_JSON' } },
  }
}
