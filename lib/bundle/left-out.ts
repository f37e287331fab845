import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * The parts of the AWS SDK that no function can use, and what stands in for each in a bundle: whatever is called
 * after all fails with the name of its package.
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
