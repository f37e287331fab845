import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { findApplication } from '../store/authorisation.ts'
import { isApplicationId, isReadOnlyKey } from '../store/credentials.ts'
import { headerValues } from './request.ts'
import type { PipelineMiddleware } from './state.ts'

/** Returns the 401 error, which is the same for all invalid credentials. */
export const wrongCredentialsError = (): ApiError =>
  new ApiError(
    'unauthorized',
    'Send "Authorization: Bearer <API key>" and "x-app-id: <application id>", once each, of one application. ' +
      'A key is "bdk_" or "bdr_" and 40 letters and digits, without quotes.',
  )

/** Returns the 403 error for a write with a read-only key. */
export const readOnlyKeyError = (): ApiError =>
  new ApiError(
    'forbidden',
    'This API key is read-only ("bdr_…"): it may send GET requests. To write, use a key that begins with "bdk_".',
  )

/** Returns the API key in an `Authorization` header; undefined if the header has another form. */
const bearerKey = (authorization: string): string | undefined =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1]

/**
 * The middleware that authenticates the application. All invalid credentials get the same 401. A write with a read-only key
 * is refused whatever its path and body contain. White space around a value is not removed: otherwise each spelling of it
 * would be another application to the firewall, with its own rate limit.
 */
export const authenticate = ({ method }: Endpoint): PipelineMiddleware => ({
  before: async (request) => {
    const { event, internal: state } = request
    const authorizations = headerValues(event, 'authorization')
    const appIds = headerValues(event, 'x-app-id')
    const [authorization = ''] = authorizations
    const [appId = ''] = appIds
    if (isApplicationId(appId)) state.claimedAppId = appId
    const apiKey = bearerKey(authorization)
    if (authorizations.length !== 1 || appIds.length !== 1 || !apiKey) throw wrongCredentialsError()
    const application = await findApplication(appId, apiKey)
    if (!application) throw wrongCredentialsError()
    state.app = application
    if (method !== 'GET' && isReadOnlyKey(apiKey)) throw readOnlyKeyError()
  },
})
