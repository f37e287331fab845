import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * The parts of the AWS SDK that no function can use, by the name under which they are imported, and what stands in for
 * each in a bundle. What a function would miss fails with the name of its package when it is called.
 */
const leftOut: Readonly<Record<string, string>> = {
  // Lambda puts the role's credentials into the environment; SSO, profiles, processes and instances have no place there.
  '@aws-sdk/credential-provider-node': `
    import { fromEnv } from '@aws-sdk/credential-provider-env'
    export const defaultProvider = (init) => {
      let credentials
      return () => (credentials ??= fromEnv(init)())
    }`,
  // No operation of DynamoDB streams events over its connection.
  '@smithy/core/event-streams': `
    export const eventStreamSerdeProvider = () => { throw new Error('@smithy/core/event-streams is left out') }
    export const EventStreamSerde = eventStreamSerdeProvider`,
  // The client makes the cache, but only an operation with endpoint discovery reads it, and none here has it.
  '@aws-sdk/endpoint-cache': `
    export class EndpointCache {
      getEndpoint() { throw new Error('@aws-sdk/endpoint-cache is left out') }
      get = this.getEndpoint
      set = this.getEndpoint
      has = this.getEndpoint
      delete = this.getEndpoint
      clear = this.getEndpoint
    }`,
  // `send` retries within a request's budget, and the client's own retries are switched off.
  '@smithy/core/retry': `
    export const Retry = {}
    export const RETRY_MODES = {}
    export const DEFAULT_RETRY_MODE = 'standard'
    export const NODE_MAX_ATTEMPT_CONFIG_OPTIONS = {}
    export const NODE_RETRY_MODE_CONFIG_OPTIONS = {}
    export const resolveRetryConfig = (config) => config
    export const getRetryPlugin = () => ({ applyToStack: () => {} })`,
  // A function has no home directory with configuration files of AWS; to look for them costs every start.
  '../shared-ini-file-loader/loadSharedConfigFiles': `
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
}

/**
 * Single classes that no function makes: a digest in JavaScript, for a Node without its own, and the rate limiter of
 * the SDK's adaptive retries, for which `send` stands in.
 */
const classesLeftOut = /[\\/]@smithy[\\/]core[\\/].*[\\/](?:Sha256Js|DefaultRateLimiter)\.js$/

const NAMESPACE = 'left-out'
const filter = new RegExp(`^(?:${Object.keys(leftOut).join('|')})$`)

/** The esbuild plugin that puts the stand-ins in place of the packages left out (P1, P2). */
export const leaveOut: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter }, async ({ path, pluginData, ...at }) => {
      if (pluginData === NAMESPACE) return undefined
      // A stand-in imports what its package imports, from there.
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
      contents: leftOut[path] as string,
      resolveDir: resolveDir as string,
    }))
    build.onLoad({ filter: classesLeftOut }, ({ path }) => {
      const name = basename(path, '.js')
      return {
        contents: `export class ${name} { constructor() { throw new Error('${name} is left out') } }`,
      }
    })
    // The client reads only its version from there, and esbuild cannot shake the rest off.
    build.onLoad({ filter: /client-dynamodb[\\/]package\.json$/ }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ version }), loader: 'json' }
    })
  },
}
