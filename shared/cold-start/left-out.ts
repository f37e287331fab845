import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/** A value that can be imported and passed on. Any other use of it throws an error with its name. */
const leftOut = (name: string): string => `new Proxy(class {}, Object.fromEntries(
  ['apply', 'construct', 'get', 'has', 'ownKeys'].map((use) => [use, () => { throw new Error('${name} is left out') }])))`

/**
 * The modules of the AWS SDK that bundles replace, because no function needs them: the source of each
 * replacement by the specifier with which the SDK imports the module. What a replacement leaves out throws an
 * error with its name.
 */
export const moduleReplacements: Readonly<Record<string, string>> = {
  // Lambda sets the role's credentials in the environment. A function has no other source, such as SSO or
  // instance metadata.
  '@aws-sdk/credential-provider-node': `
    import { fromEnv } from '@aws-sdk/credential-provider-env'
    export const defaultProvider = (init) => {
      let credentials
      return () => (credentials ??= fromEnv(init)())
    }`,
  // `adaptMiddleware` sends a constant user agent.
  './middleware-user-agent/user-agent-middleware': `
    export const userAgentMiddleware = ${leftOut('userAgentMiddleware')}
    export const getUserAgentMiddlewareOptions = ${leftOut('getUserAgentMiddlewareOptions')}
    export const getUserAgentPlugin = () => ({ applyToStack: () => {} })`,
  // No DynamoDB operation has an event stream.
  '@smithy/core/event-streams': `
    export const eventStreamSerdeProvider = ${leftOut('eventStreamSerdeProvider')}
    export const EventStreamSerde = ${leftOut('EventStreamSerde')}`,
  // The client creates the cache, but only operations with endpoint discovery read it, and functions use no
  // such operation.
  '@aws-sdk/endpoint-cache': `
    export const EndpointCache = function () { return ${leftOut('EndpointCache')} }`,
  // `send` retries within the request's budget; `adaptMiddleware` switches the SDK's retries off.
  '@smithy/core/retry': `
    // The client reads this flag of the SDK's later retries, and nothing else.
    export const Retry = { v2026: false }
    export const RETRY_MODES = ${leftOut('RETRY_MODES')}
    export const DEFAULT_RETRY_MODE = 'standard'
    export const NODE_MAX_ATTEMPT_CONFIG_OPTIONS = {}
    export const NODE_RETRY_MODE_CONFIG_OPTIONS = {}
    export const resolveRetryConfig = (config) => config
    export const getRetryPlugin = () => ({ applyToStack: () => {} })`,
  // A function has no AWS configuration files, and looking for them would take time at every start.
  '../shared-ini-file-loader/loadSharedConfigFiles': `
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
}

/**
 * The files of the SDK's classes of digests. No function instantiates them, because the client is given the
 * class of this project. Bundles replace them with classes that throw.
 */
export const unusedDigestClasses = /[\\/]@smithy[\\/]core[\\/].*[\\/]Sha256(?:Js|Node)\.js$/

/** The package.json of the client. The client reads only its version, but esbuild cannot tree-shake JSON. */
export const clientManifest = /client-dynamodb[\\/]package\.json$/

/** The source that replaces `about` and `example`, which removes descriptions and examples from bundles. */
const noDescriptions = `export function about() {}
export function example() {}`

const NAMESPACE = 'left-out'
/** The specifiers of the replaced modules. */
const filter = new RegExp(`^(?:${Object.keys(moduleReplacements).join('|')})$`)

/** Leaves out code that functions do not need: parts of the SDK, descriptions and examples. */
export const leaveOut: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter }, async ({ path, pluginData, ...importer }) => {
      // Set below, so that resolving the original does not lead here again.
      if (pluginData === NAMESPACE) return undefined
      const original = await build.resolve(path, { ...importer, pluginData: NAMESPACE })
      return {
        path,
        errors: original.errors,
        namespace: NAMESPACE,
        // The imports of a replacement are resolved from the folder of the original.
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
