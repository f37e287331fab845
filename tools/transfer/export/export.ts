import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { resourcesByName } from '../../../shared/catalogue.ts'
import { referencesOf } from '../../../shared/contract/references.ts'
import type { Entity, Resource } from '../../../shared/contract/resource.ts'
import { ApiError } from '../../../shared/errors.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { isAnonymised, readEntity } from '../../../shared/store/entities.ts'
import { entityOf, type Item } from '../../../shared/store/items.ts'
import { orderAt } from '../../../shared/store/keys.ts'
import { readItems } from '../../../shared/store/read.ts'
import { currentService } from '../../../shared/store/service.ts'
import { readApplication } from '../../applications/application-records.ts'
import { retryWhileBusy } from '../../applications/retry.ts'
import { CommandError } from '../../cli/command.ts'
import type { ShowProgress } from '../../cli/progress.ts'
import { requireKnownItem } from '../../operator/entity-items.ts'
import { listPages } from '../../operator/list-pages.ts'
import { creates } from '../creates.ts'
import { createBodyOf } from './export-body.ts'
import { type Exported, openExportFolder, openFile } from './export-files.ts'
import { References } from './export-references.ts'

interface ExportOptions {
  readonly app: string
  /** Either id of a customer, to export only that customer's record. */
  readonly customer?: string | undefined
  readonly folder: string
  readonly show: ShowProgress
}

/** The description of an export, in manifest.json. Times are RFC 3339. */
export interface Manifest {
  readonly app_id: string
  readonly customer_id?: string
  readonly started: string
  readonly finished: string
  readonly files: readonly Exported[]
}

const PAGE = 100
/** How many pages are read concurrently, and how many may wait to be written. */
const pageLimits = { concurrency: 4, highWaterMark: 4 }
/** An upper limit for the delay of an index, in microseconds: far more than is observed. */
const MAX_INDEX_DELAY = 300 * 1_000_000

/** All resources, each before those it refers to. So what an exported line refers to is exported after it, and not missed. */
const childrenFirst = [...resourcesByName.values()].reverse()
const isCreated = ({ name }: Resource): boolean => creates.has(name)

const isUnder = ({ fields }: Resource, { name }: Resource): boolean =>
  Object.values(fields).some(({ reference }) => reference?.isParent && reference.target === name)
const refersTo = ({ fields }: Resource, { name }: Resource): boolean =>
  referencesOf(fields).some(({ reference }) => reference.target === name)

/** Returns the resources in the record of a customer: its children, and the resources that these refer to. */
const resourcesOf = (person: Resource): Resource[] => {
  const found: Resource[] = []
  for (const resource of childrenFirst)
    if (isUnder(resource, person) || found.some((each) => refersTo(each, resource))) found.push(resource)
  return found
}

interface Exporting {
  readonly app: string
  readonly references: References
  readonly person: Entity | undefined
  readonly folder: string
  readonly show: ShowProgress
}

const exportLines = async (resource: Resource, items: readonly Item[], { references, person }: Exporting) => {
  const entities = items.map((item) => entityOf(resource, item))
  const ids = await references.clientIdsIn(entities)
  // The line of a derived entity is not imported, and its hidden fields only serve to derive it.
  const fields = isCreated(resource)
    ? resource.fields
    : Object.fromEntries(Object.entries(resource.fields).filter(([, { visible }]) => visible))
  const dataOf = ({ id, externalId, content }: Entity) => ({
    id: externalId,
    ...createBodyOf(fields, content, { id, ids }),
  })
  return items.map((item, index) => {
    const entity = entities[index]!
    references.found(resource, entity.id)
    const { first_data: data, first_extra: extra } = item
    return JSON.stringify({
      type: resource.name,
      data: dataOf(entity),
      ...(isAnonymised(entity, item) ? { erased: true } : {}),
      ...(person && data
        ? { originally: dataOf(entityOf(resource, { ...item, data, extra: extra ?? {} })) }
        : {}),
    })
  })
}

/** Reads items with strong consistency, in the order of their ids. Throws Error for one that another version wrote. */
const itemsOf = async (app: string, resource: Resource, ids: readonly string[]): Promise<Item[]> => {
  const items = await retryWhileBusy(() => readItems(app, ids))
  return ids.map((id) => {
    const item = items.get(id)
    if (item) requireKnownItem(resource, item)
    else throw new Error(`"${id.slice(0, 8)}…" is listed and is no ${resource.name} in the table`)
    return item
  })
}

const exportResource = async (resource: Resource, exporting: Exporting): Promise<Exported> => {
  const { app, person, references, folder, show } = exporting
  const file = await openFile(folder, { file: `${resource.plural}.ndjson`, type: resource.name })
  const linesAt = async (ids: readonly string[]) =>
    exportLines(resource, await itemsOf(app, resource, ids), exporting)
  const listed = !person || isUnder(resource, person.resource)
  const pages = Readable.from(listed ? listPages({ app, resource, parent: person }, { limit: PAGE }) : [])
  for await (const lines of pages.map(linesAt, pageLimits)) {
    await file.add(lines)
    show(`${file.count()} ${resource.plural} exported`)
  }
  const missed = references.missed(resource)
  for (let at = 0; at < missed.length; at += PAGE) await file.add(await linesAt(missed.slice(at, at + PAGE)))
  return file.exported()
}

const personNamed = (app: string, id: string): Promise<Entity> =>
  readEntity(app, customer, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'entity_not_found')
      throw new CommandError(error.details[0], { cause: error })
    throw error
  })

const exportInto = async (
  path: string,
  options: ExportOptions,
  person: Entity | undefined,
): Promise<Manifest> => {
  const { app, show } = options
  const { clock } = currentService()
  const started = new Date(clock.now()).toISOString()
  const references = new References(app, person ? '' : orderAt(clock.now() * 1_000 - MAX_INDEX_DELAY, ''))
  if (person) references.expect(person.resource.name, person.id)
  const files: Exported[] = []
  for (const resource of person ? resourcesOf(person.resource) : childrenFirst.filter(isCreated))
    files.push(await exportResource(resource, { app, references, person, folder: path, show }))
  const manifest = {
    app_id: app,
    ...(person ? { customer_id: person.externalId } : {}),
    started,
    finished: new Date(clock.now()).toISOString(),
    files: files.reverse(),
  }
  writeFileSync(join(path, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

/**
 * Exports everything that an application has recorded, or one customer's record, as lines for `import`. Each entity is exported
 * as it is at some moment during the export. Throws NotFound for an unknown application, CommandError for an unknown customer or
 * a folder that cannot be used.
 */
export const exportApplication = async (options: ExportOptions): Promise<Manifest> => {
  const { app, customer: id, folder: name } = options
  await readApplication(app)
  const person = id === undefined ? undefined : await personNamed(app, id)
  const folder = openExportFolder(name)
  try {
    const manifest = await exportInto(folder.path, options, person)
    folder.complete()
    return manifest
  } finally {
    folder.close()
  }
}
