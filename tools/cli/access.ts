import type { ClientOptions } from '../../client/options.ts'
import { UsageError } from './command.ts'
import type { Options } from './options.ts'
import { type Input, readSecret } from './secret.ts'
import { addressFrom } from './setting-values.ts'

/** The options of a command that calls the API. */
export const accessOptions = {
  url: { value: 'URL', about: 'the address of the API; by default, BILLING_URL of the environment' },
  'app-id': { value: 'ID', about: 'the application; by default, BILLING_APP_ID of the environment' },
} as const satisfies Options

/** Returns whether a text can be sent in a header: visible ASCII characters. */
const isHeaderValue = (text: string): boolean => /^[!-~]+$/.test(text)

/**
 * Reads the URL and the application's id from options or, without them, from BILLING_URL and BILLING_APP_ID. Reads the API key
 * from BILLING_API_KEY or, without it, as a secret from the input: arguments are visible to other users of the machine. Throws
 * UsageError if a value is missing or invalid.
 */
export const readAccess = async (
  options: { readonly url?: string | undefined; readonly 'app-id'?: string | undefined },
  env: NodeJS.ProcessEnv,
  input: Input,
): Promise<ClientOptions> => {
  const { url = env.BILLING_URL, 'app-id': appId = env.BILLING_APP_ID } = options
  if (!url || !appId)
    throw new UsageError('--url and --app-id are required, or BILLING_URL and BILLING_APP_ID')
  const baseUrl = addressFrom('--url', url).replace(/\/+$/, '')
  if (!isHeaderValue(appId))
    throw new UsageError('--app-id or BILLING_APP_ID must be the id of an application')
  const apiKey = env.BILLING_API_KEY || (await readSecret('API key', input))
  if (!isHeaderValue(apiKey)) throw new UsageError('BILLING_API_KEY or the standard input must be an API key')
  return { baseUrl, appId, apiKey }
}
