import { parseArgs } from 'node:util'
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import {
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda'
import { StartError } from '../local/settings.ts'
import { asStartError, UsageError } from './command.ts'

/** The usage of the command. */
export const releasesUsage = `usage: npm run releases -- list --stack STACK [--region REGION]
       npm run releases -- back --stack STACK [--to COMMIT] [--region REGION]
       "list" shows the versions of each function, newest first. * marks the version that receives requests.
       "back" sends all requests to the version before the newest, or to the newest version of COMMIT, at once.`

interface Version {
  readonly number: number
  readonly commit: string
  /** A date, YYYY-MM-DD. */
  readonly published: string
}

/** A function of a stack and the versions that its alias points to. */
interface Released {
  readonly route: string
  readonly name: string
  readonly alias: string
  readonly live: number
  /** The shares of requests that other versions receive during a gradual release. */
  readonly weights: Readonly<Record<string, number>>
  /** Newest first. */
  readonly versions: readonly Version[]
}

/** What a command prints, and whether all of it succeeded. */
export interface Report {
  readonly text: string
  readonly ok: boolean
}

const SHOWN_VERSIONS = 3

const parse = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const options = { stack: text, region: text, to: text }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, ...more] = positionals
  if (command !== 'list' && command !== 'back') throw new UsageError('the command must be "list" or "back"')
  if (more.length > 0) throw new UsageError(`"releases ${command}" does not take "${more[0]}"`)
  if (!values.stack) throw new UsageError('--stack is missing')
  if (command === 'list' && values.to !== undefined) throw new UsageError('--to goes with "back"')
  if (values.to === '') throw new UsageError('--to must be a commit')
  return { ...values, command, stack: values.stack }
}

const aliasesOf = async (client: CloudFormationClient, stack: string): Promise<string[]> => {
  const arns: string[] = []
  for await (const page of paginateListStackResources({ client }, { StackName: stack }))
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? [])
      if (ResourceType === 'AWS::Lambda::Alias' && PhysicalResourceId) arns.push(PhysicalResourceId)
  if (arns.length === 0)
    throw new StartError(`${stack} has no versions: its stage sets neither "canary" nor "provisioned"`)
  return arns
}

/**
 * The route and the commit in a function's description, "POST /api/products: Create a product (1a2b3c4d5e6f)", which
 * lib/functions/api-function.ts gives it; undefined for any other.
 */
export const readDescription = (text: string): { route: string; commit: string } | undefined => {
  const [, route, commit] = /^([^:]+):.*\(([^()]+)\)$/.exec(text) ?? []
  return route !== undefined && commit !== undefined ? { route, commit } : undefined
}

const releasedAt = async (client: LambdaClient, arn: string): Promise<Released> => {
  const [name = '', alias = ''] = arn.split(':').slice(-2)
  const { FunctionVersion, RoutingConfig } = await client.send(
    new GetAliasCommand({ FunctionName: name, Name: alias }),
  )
  const versions: Version[] = []
  let route = name
  for await (const page of paginateListVersionsByFunction({ client }, { FunctionName: name }))
    for (const { Version: number, Description = '', LastModified = '' } of page.Versions ?? []) {
      const described = readDescription(Description)
      route = described?.route ?? route
      if (number === '$LATEST') continue
      const published = LastModified.slice(0, 10)
      versions.push({ number: Number(number), commit: described?.commit ?? 'unknown', published })
    }
  return {
    ...{ route, name, alias, live: Number(FunctionVersion) },
    weights: RoutingConfig?.AdditionalVersionWeights ?? {},
    versions: versions.sort((a, b) => b.number - a.number),
  }
}

const cell = ({ live }: Released, { number, commit, published }: Version): string =>
  `${number === live ? '*' : ' '}${number} ${commit} ${published}`

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = [...(rows[0] ?? [])].map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const listed = (all: readonly Released[]): string =>
  table(
    all.map((each) => [
      each.route,
      ...Array.from({ length: SHOWN_VERSIONS }, (_, at) => {
        const version = each.versions[at]
        return version ? cell(each, version) : ''
      }),
    ]),
  )

/** The version that `back` sends the requests to; undefined if a function has none. */
const targetOf = ({ versions }: Released, to: string | undefined): Version | undefined =>
  to === undefined ? versions[1] : versions.find(({ commit }) => commit.startsWith(to))

const putBack = async (lambda: LambdaClient, each: Released, to: string | undefined): Promise<string> => {
  const target = targetOf(each, to)
  if (!target) return to === undefined ? 'has no older version' : `has no version of ${to}`
  const now = `version ${target.number} (${target.commit})`
  if (target.number === each.live) return `is already at ${now}`
  try {
    await lambda.send(
      new UpdateAliasCommand({
        FunctionName: each.name,
        Name: each.alias,
        FunctionVersion: String(target.number),
      }),
    )
    return `put back from version ${each.live} to ${now}`
  } catch (error) {
    return `FAILED: ${(error as Error).message}`
  }
}

const refuseWhileReleasing = (all: readonly Released[]): void => {
  const running = all.find(({ weights }) => Object.keys(weights).length > 0)
  if (running)
    throw new StartError(
      `a release is running: ${running.route} has versions ${[running.live, ...Object.keys(running.weights)].join(' and ')}. Stop it first (docs/operating.md, "Roll back")`,
    )
}

const work = async ({ command, stack, region, to }: ReturnType<typeof parse>): Promise<Report> => {
  const client = region ? { region } : {}
  const lambda = new LambdaClient(client)
  const arns = await aliasesOf(new CloudFormationClient(client), stack)
  const all = await Promise.all(arns.map((arn) => releasedAt(lambda, arn)))
  all.sort((a, b) => (a.route < b.route ? -1 : 1))
  if (command === 'list') return { text: listed(all), ok: true }
  refuseWhileReleasing(all)
  if (!all.some((each) => targetOf(each, to)))
    throw new StartError(`no function has ${to === undefined ? 'an older version' : `a version of ${to}`}`)
  const outcomes = await Promise.all(all.map((each) => putBack(lambda, each, to)))
  return {
    text: table(all.map(({ route }, at) => [route, outcomes[at] as string])),
    ok: !outcomes.some((outcome) => outcome.startsWith('FAILED')),
  }
}

/**
 * Runs a command: lists the versions of a stack's functions, or points every alias to an older one. Idempotent. Throws
 * UsageError, or StartError for an error of AWS.
 */
export const releases = async (args: readonly string[]): Promise<Report> => {
  const call = parse(args)
  return work(call).catch((error: unknown) => {
    throw asStartError(error)
  })
}
