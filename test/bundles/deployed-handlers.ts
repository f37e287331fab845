import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployable } from '../../shared/contract/deployable.ts'
import type { HandlerLoader } from '../../tools/local/server.ts'
import { type DeployedFunction, inWorker, lambdaEnvironment } from './running-function.ts'

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
  readonly table: string
  readonly endpoint: string
  readonly log: (line: string) => void
}

const functionsOf = (assembly: string): readonly FunctionResource[] => {
  const name = readdirSync(assembly).find((file) => file.endsWith('.template.json'))
  if (name === undefined) throw new Error(`${assembly} has no template`)
  const { Resources } = JSON.parse(readFileSync(join(assembly, name), 'utf8'))
  return Object.values<FunctionResource>(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function')
}

/** References become the name of the table. Throws Error at any other reference. */
const resolved = (variables: Readonly<Record<string, unknown>>, table: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, value]
      if (/^\{"Ref":"BillingTable/.test(JSON.stringify(value))) return [name, table]
      throw new Error(`${name} refers to something that is not the table: ${JSON.stringify(value)}`)
    }),
  )

const deployedFunction = (
  functions: readonly FunctionResource[],
  { assembly, table, endpoint }: TemplateValues,
  { method, path }: Deployable,
): DeployedFunction => {
  const found = functions.find(({ Properties }) => Properties.Description.startsWith(`${method} ${path}: `))
  if (!found) throw new Error(`The template has no function for ${method} ${path}`)
  const { Handler, Timeout, Environment } = found.Properties
  const [module] = Handler.split('.')
  return {
    file: join(assembly, found.Metadata['aws:asset:path'] as string, `${module}.mjs`),
    environment: { ...lambdaEnvironment(endpoint), ...resolved(Environment.Variables, table) },
    timeoutMillis: Timeout * 1000,
  }
}

/** Each bundle runs in its own worker, started at the first call. */
export const deployedHandlers = (values: TemplateValues): { load: HandlerLoader; stop(): Promise<void> } => {
  const functions = functionsOf(values.assembly)
  const running = new Map<string, ReturnType<typeof inWorker>>()
  const load: HandlerLoader = async (endpoint) => {
    const worker =
      running.get(endpoint.id) ?? inWorker(deployedFunction(functions, values, endpoint), values.log)
    running.set(endpoint.id, worker)
    return worker.handler
  }
  const stop = async () => {
    await Promise.all([...running.values()].map((worker) => worker.stop()))
  }
  return { load, stop }
}
