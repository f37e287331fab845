import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployable } from '../../shared/contract/deployable.ts'
import type { HandlerLoader } from '../../tools/local/server.ts'
import { type Deployed, inWorker, lambdaEnvironment } from './running-function.ts'

interface FunctionResource {
  readonly Type: string
  readonly Metadata: Readonly<Record<string, string>>
  readonly Properties: {
    readonly Handler: string
    readonly Timeout: number
    readonly Description: string
    readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
  }
}

/** The values that replace references in the template. */
export interface TemplateValues {
  readonly assembly: string
  /** The name of the table. */
  readonly table: string
  /** The address of DynamoDB. */
  readonly endpoint: string
  readonly log: (line: string) => void
}

const templateOf = (assembly: string): { Resources: Record<string, FunctionResource> } => {
  const [name] = readdirSync(assembly).filter((each) => each.endsWith('.template.json'))
  return JSON.parse(readFileSync(join(assembly, name as string), 'utf8'))
}

const resolved = (variables: Readonly<Record<string, unknown>>, table: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, value]
      if (/^\{"Ref":"BillingTable/.test(JSON.stringify(value))) return [name, table]
      throw new Error(`${name} refers to something that is not the table: ${JSON.stringify(value)}`)
    }),
  )

const deployedOf = (
  { assembly, table, endpoint }: TemplateValues,
  { method, path }: Deployable,
): Deployed => {
  const functions = Object.values(templateOf(assembly).Resources).filter(
    ({ Type }) => Type === 'AWS::Lambda::Function',
  )
  const found = functions.find(({ Properties }) => Properties.Description.startsWith(`${method} ${path}: `))
  if (!found) throw new Error(`The template has no function for ${method} ${path}`)
  const { Handler: name, Timeout, Environment } = found.Properties
  return {
    file: join(assembly, found.Metadata['aws:asset:path'] as string, `${name.split('.')[0]}.mjs`),
    environment: { ...lambdaEnvironment(endpoint), ...resolved(Environment.Variables, table) },
    timeoutMillis: Timeout * 1000,
  }
}

/** Returns the handlers of a synthesised stack. Each bundle runs in its own worker, started at the first call. */
export const deployedHandlers = (values: TemplateValues): { load: HandlerLoader; stop(): Promise<void> } => {
  const running = new Map<string, ReturnType<typeof inWorker>>()
  const load: HandlerLoader = async (endpoint) => {
    const found = running.get(endpoint.id) ?? inWorker(deployedOf(values, endpoint), values.log)
    running.set(endpoint.id, found)
    return found.handler
  }
  const stop = async () => void (await Promise.all([...running.values()].map(({ stop }) => stop())))
  return { load, stop }
}
