/**
 * The modules of the AWS SDK that no function needs, by the name under which the SDK imports them, with the module that
 * replaces each in a bundle. A replacement that is called unexpectedly throws an error with the name of its module.
 */
export const leftOut: Readonly<Record<string, string>> = {
  // Lambda sets the role's credentials in the environment. SSO, profiles, processes and instance metadata do not occur.
  '@aws-sdk/credential-provider-node': `
    import { fromEnv } from '@aws-sdk/credential-provider-env'
    export const defaultProvider = (init) => {
      let credentials
      return () => (credentials ??= fromEnv(init)())
    }`,
  // No DynamoDB operation has an event stream.
  '@smithy/core/event-streams': `
    export const eventStreamSerdeProvider = () => { throw new Error('@smithy/core/event-streams is left out') }
    export const EventStreamSerde = eventStreamSerdeProvider`,
  // The client creates the cache, but only operations with endpoint discovery read it, and none used here has it.
  '@aws-sdk/endpoint-cache': `
    export class EndpointCache {
      getEndpoint() { throw new Error('@aws-sdk/endpoint-cache is left out') }
      get = this.getEndpoint
      set = this.getEndpoint
      has = this.getEndpoint
      delete = this.getEndpoint
      clear = this.getEndpoint
    }`,
  // `send` retries within the request's budget; `adaptMiddleware` switches the SDK's retries off.
  '@smithy/core/retry': `
    export const Retry = {}
    export const RETRY_MODES = {}
    export const DEFAULT_RETRY_MODE = 'standard'
    export const NODE_MAX_ATTEMPT_CONFIG_OPTIONS = {}
    export const NODE_RETRY_MODE_CONFIG_OPTIONS = {}
    export const resolveRetryConfig = (config) => config
    export const getRetryPlugin = () => ({ applyToStack: () => {} })`,
  // A function has no AWS configuration files, and looking for them would cost time at every start.
  '../shared-ini-file-loader/loadSharedConfigFiles': `
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
}

/**
 * A class that no function instantiates, a digest for runtimes without node:crypto. Bundles replace it with a class that
 * throws.
 */
export const classLeftOut = /[\\/]@smithy[\\/]core[\\/].*[\\/]Sha256Js\.js$/

/** The manifest of the client, which reads only its version. esbuild cannot tree-shake JSON. */
export const manifestLeftOut = /client-dynamodb[\\/]package\.json$/
