import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcesByName } from '../../../shared/catalogue.ts'
import { referencesOf } from '../../../shared/contract/identifiers.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { ApiError } from '../../../shared/errors.ts'
import { customer as customerResource } from '../../../shared/resources/customer.ts'
import { readEntity } from '../../../shared/store/entities.ts'
import { orderAt } from '../../../shared/store/keys.ts'
import { currentService } from '../../../shared/store/service.ts'
import { readApplication } from '../../applications/application-records.ts'
import { CommandError } from '../../cli/command.ts'
import { type Options, parseOptions } from '../../cli/options.ts'
import { progressDisplay, type Screen, type ShowProgress } from '../../cli/progress.ts'
import { optionList, synopsis } from '../../cli/usage.ts'
import { onTable, tableOptions } from '../../operator/command-table.ts'
import { type ExportedFile, openExportFolder } from './export-files.ts'
import { References } from './export-references.ts'
import { exportResource, isChildOf, isCreated } from './export-resource.ts'

interface ExportOptions {
  readonly app: string
  /** Either id of a customer, to export only that customer's record. */
  readonly customer?: string | undefined
  readonly folder: string
  readonly show: ShowProgress
}

/** The content of manifest.json. Times are RFC 3339. */
export interface Manifest {
  readonly app_id: string
  readonly customer_id?: string
  readonly started: string
  readonly finished: string
  readonly files: readonly ExportedFile[]
}

/** An upper limit for the delay of an index, in microseconds: far more than is observed. */
const MAX_INDEX_DELAY = 300 * 1_000_000

/** All resources, each before the resources that it refers to, so that a referenced entity is exported later and not missed. */
const childrenFirst = [...resourcesByName.values()].reverse()

const refersTo = ({ fields }: Resource, { name }: Resource): boolean =>
  referencesOf(fields).some(({ reference }) => reference.target === name)

/** The customer's children, and the resources that these refer to. */
const resourcesOfCustomer = (customer: Resource): Resource[] => {
  const found: Resource[] = []
  for (const resource of childrenFirst) {
    const isReferenced = found.some((earlier) => refersTo(earlier, resource))
    if (isChildOf(resource, customer) || isReferenced) found.push(resource)
  }
  return found
}

/** By either id. Throws CommandError if the application does not have this customer. */
const readCustomer = (app: string, id: string): Promise<Entity> =>
  readEntity(app, customerResource, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'entity_not_found')
      throw new CommandError(error.details[0], { cause: error })
    throw error
  })

/** They track the entities that lists may not contain yet. */
const trackReferences = (app: string, now: number, customer: Entity | undefined): References => {
  // The record of a customer contains all referenced entities, whenever they were recorded.
  const recentFrom = customer ? '' : orderAt(now * 1_000 - MAX_INDEX_DELAY, '')
  const references = new References(app, recentFrom)
  if (customer) references.track(customer.resource.name, customer.id)
  return references
}

const writeExport = async (
  folder: string,
  { app, show }: ExportOptions,
  customer: Entity | undefined,
): Promise<Manifest> => {
  const { clock } = currentService()
  const isoNow = () => new Date(clock.now()).toISOString()
  const started = isoNow()
  const references = trackReferences(app, clock.now(), customer)
  const resources = customer ? resourcesOfCustomer(customer.resource) : childrenFirst.filter(isCreated)
  const files: ExportedFile[] = []
  for (const resource of resources)
    files.push(await exportResource(resource, { app, references, customer, folder, show }))
  const manifest = {
    app_id: app,
    ...(customer ? { customer_id: customer.externalId } : {}),
    started,
    finished: isoNow(),
    files: files.reverse(),
  }
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

/**
 * Exports everything that an application has recorded, or one customer's record, as lines for `import`. Each entity is exported in
 * its state at some moment during the export. Throws NotFound for an unknown application, and CommandError for an unknown customer
 * or a folder that cannot be used.
 */
export const exportApplication = async (options: ExportOptions): Promise<Manifest> => {
  const { app, customer: customerId } = options
  await readApplication(app)
  const customer = customerId === undefined ? undefined : await readCustomer(app, customerId)
  const folder = openExportFolder(options.folder)
  try {
    const manifest = await writeExport(folder.path, options, customer)
    folder.complete()
    return manifest
  } finally {
    folder.close()
  }
}

const options = {
  app: { value: 'APP_ID', isRequired: true, about: 'the application' },
  customer: {
    value: 'ID',
    about:
      "exports only one customer's record, by either id: the customer, the subscriptions and invoices, and the entities that these refer to",
  },
  out: {
    value: 'FOLDER',
    about: 'the folder to write to, which must be new or empty (default: APP_ID.export)',
  },
  ...tableOptions,
} as const satisfies Options

export const exportUsage = `usage: npm run --silent export -- ${synopsis(options)}

Exports everything that an application has recorded: a file for each resource, with lines that "import" accepts, and
manifest.json with counts and checksums, which the command also prints. The files contain fields that the API does not return:
protect the folder as you protect the table.

${optionList(options)}`

/** Throws UsageError, or CommandError if it cannot continue. */
export const runExport = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  screen: Screen = process.stderr,
): Promise<Manifest> => {
  const { app, customer, out, ...table } = parseOptions(args, options).values
  const { show, line, end } = progressDisplay(screen)
  const folder = out ?? `${app}.export`
  const manifest = await onTable(table, env, () =>
    exportApplication({ app, customer, folder, show }).finally(end),
  )
  const count = manifest.files.reduce((sum, file) => sum + file.count, 0)
  line(`Exported ${count.toLocaleString('en')} entities to "${folder}".`)
  return manifest
}
