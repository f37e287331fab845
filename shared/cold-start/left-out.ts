import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * The source of the replacements, in bundles, for AWS SDK modules that no function needs, keyed by the SDK's import
 * specifiers. A replacement that is called unexpectedly throws an error with the name of its module.
 */
export const moduleReplacements: Readonly<Record<string, string>> = {
  // Lambda sets the role's credentials in the environment. SSO, profiles, processes and instance metadata do not occur.
  '@aws-sdk/credential-provider-node': `
    import { fromEnv } from '@aws-sdk/credential-provider-env'
    export const defaultProvider = (init) => {
      let credentials
      return () => (credentials ??= fromEnv(init)())
    }`,
  // `adaptMiddleware` sends a constant user agent.
  './middleware-user-agent/user-agent-middleware': `
    export const userAgentMiddleware = undefined
    export const getUserAgentMiddlewareOptions = undefined
    export const getUserAgentPlugin = () => ({ applyToStack: () => {} })`,
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
 * The SDK's classes of digests, which no function instantiates: its client is given this project's. Bundles replace them with classes
 * that throw.
 */
export const unusedDigestClasses = /[\\/]@smithy[\\/]core[\\/].*[\\/]Sha256(?:Js|Node)\.js$/

/** The manifest of the client, which reads only its version. esbuild cannot tree-shake JSON. */
export const clientManifest = /client-dynamodb[\\/]package\.json$/

/** Removes descriptions and examples from functions; see `about`. */
const noDescriptions = `export function about() {}
export function example() {}`

const NAMESPACE = 'left-out'
const filter = new RegExp(`^(?:${Object.keys(moduleReplacements).join('|')})$`)

/** The esbuild plugin that replaces code that functions do not need: parts of the SDK, descriptions and examples. */
export const leaveOut: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter }, async ({ path, pluginData, ...at }) => {
      if (pluginData === NAMESPACE) return undefined
      // The imports of a replacement are resolved from the folder of the original.
      const original = await build.resolve(path, { ...at, pluginData: NAMESPACE })
      return {
        path,
        errors: original.errors,
        namespace: NAMESPACE,
        pluginData: dirname(original.path),
        sideEffects: false,
      }
    })
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path, pluginData: resolveDir }) => ({
      contents: moduleReplacements[path] as string,
      resolveDir: resolveDir as string,
    }))
    build.onLoad({ filter: /shared[\\/]contract[\\/]about\.ts$/ }, () => ({ contents: noDescriptions }))
    build.onLoad({ filter: unusedDigestClasses }, ({ path }) => {
      const name = basename(path, '.js')
      return {
        contents: `export class ${name} { constructor() { throw new Error('${name} is left out') } }`,
      }
    })
    build.onLoad({ filter: clientManifest }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}
