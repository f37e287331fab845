import type { ClientOptions } from '../../client/options.ts'
import { UsageError } from './command.ts'
import type { Options } from './options.ts'
import { type Input, readSecret } from './secret.ts'
import { urlFrom } from './setting-values.ts'

export const accessOptions = {
  url: { value: 'URL', about: 'the address of the API; by default, BILLING_URL of the environment' },
  'app-id': { value: 'ID', about: 'the application; by default, BILLING_APP_ID of the environment' },
} as const satisfies Options

/** Visible ASCII characters. */
const isHeaderValue = (text: string): boolean => /^[!-~]+$/.test(text)

/**
 * The URL and the application's id are options or, without them, BILLING_URL and BILLING_APP_ID. The API key
 * is BILLING_API_KEY or a secret from the input: arguments are visible to other users of the machine. Throws
 * UsageError.
 */
export const readAccess = async (
  options: { readonly url?: string | undefined; readonly 'app-id'?: string | undefined },
  env: NodeJS.ProcessEnv,
  input: Input,
): Promise<ClientOptions> => {
  const { url = env.BILLING_URL, 'app-id': appId = env.BILLING_APP_ID } = options
  if (!url || !appId)
    throw new UsageError('--url and --app-id are required, or BILLING_URL and BILLING_APP_ID')
  const baseUrl = urlFrom('--url', url).replace(/\/+$/, '')
  if (!isHeaderValue(appId))
    throw new UsageError('--app-id or BILLING_APP_ID must be the id of an application')
  const apiKey = env.BILLING_API_KEY || (await readSecret('API key', input))
  if (!isHeaderValue(apiKey)) throw new UsageError('BILLING_API_KEY or the standard input must be an API key')
  return { baseUrl, appId, apiKey }
}
