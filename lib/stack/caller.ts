import { fromIni } from '@aws-sdk/credential-provider-ini'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { loadSharedConfigFiles } from '@smithy/core/config'

/** The region and the credentials of a deployment. */
export interface Caller {
  readonly region: string
  readonly credentials: Readonly<Record<'accessKeyId' | 'secretAccessKey', string>> & {
    readonly sessionToken?: string
  }
}

/** `readCode` prompts for the code of the MFA device with a serial number. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly readCode: (serial: string) => Promise<string>
}

/** The environment's region comes before the profile's. Throws Error if neither has one. */
const regionOf = async (env: NodeJS.ProcessEnv, profile: string): Promise<string> => {
  const { credentialsFile, configFile } = await loadSharedConfigFiles({ ignoreCache: true })
  const regionsInFiles = [profile, 'default'].flatMap((name) => [
    credentialsFile[name]?.region,
    configFile[name]?.region,
  ])
  const region = [env.AWS_REGION, env.AWS_DEFAULT_REGION, ...regionsInFiles].find(Boolean)
  if (region) return region
  throw new Error(`no region: set AWS_REGION, or "region" of the profile "${profile}"`)
}

/**
 * In the order of the CDK: the profile that the option names, the environment, the SDK's default chain.
 * Throws Error if no region is set, where the CDK would guess one.
 */
export const findCaller = async (
  option: string | undefined,
  { env, readCode }: Terminal,
): Promise<Caller> => {
  const profile = option ?? (env.AWS_PROFILE || env.AWS_DEFAULT_PROFILE)
  const region = await regionOf(env, profile ?? 'default')
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!option && accessKeyId && secretAccessKey) {
    const { AWS_SESSION_TOKEN: sessionToken } = env
    return {
      region,
      credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
    }
  }
  const options = { ignoreCache: true, mfaCodeProvider: readCode, parentClientConfig: { region } }
  // A profile named by the option is the only source: a misspelt one must not lead to other credentials.
  const find = option
    ? fromIni({ ...options, profile: option })
    : defaultProvider({ ...options, ...(profile ? { profile } : {}) })
  return { region, credentials: await find() }
}

/** So that the CDK does not ask for a code again. */
export const environmentOf = (
  { env }: Pick<Terminal, 'env'>,
  { region, credentials }: Caller,
  profile: string | undefined,
): NodeJS.ProcessEnv => ({
  ...env,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  // For the other settings of the profile, such as its CA bundle.
  ...(profile ? { AWS_PROFILE: profile } : {}),
})
