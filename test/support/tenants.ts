import { catalogue, resources } from '../../shared/catalogue.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { pageAt } from './lists.ts'
import type { ApiResponse, Client } from './service.ts'

/** The names of all resources. */
export const kinds = [...resources.keys()]

const byKind = (value: (kind: string) => string): Record<string, string> =>
  Object.fromEntries(kinds.map((kind) => [kind, value(kind)]))

/** Ids that the service never assigns, by kind. */
export const unknownIds = byKind((kind) => `${resources.get(kind)!.prefix}_${'0'.repeat(22)}`)

/** Creates the example of each kind, under client ids that consist of its kind and `mark`. Returns both ids of each. */
export const record = async (client: Client, mark = '') => {
  const clientIds = byKind((kind) => `my ${kind}${mark}`)
  const creates = catalogue.filter(({ operation }) => operation === 'create')
  for (const { path, resource } of creates)
    await client.create(
      path,
      exampleBody(resource, ({ name }) => clientIds[name]),
    )
  const found = await everything(client)
  const ids = byKind(
    (kind) => found[kind]!.find(({ external_id }) => external_id === clientIds[kind])!.id as string,
  )
  return { ids, clientIds }
}

/** Hides the id that was sent, so that two responses can be compared. */
export const without = (id: string, { status, json }: ApiResponse) => {
  const shown = JSON.stringify(JSON.stringify(id)).slice(1, -1)
  return { status, text: JSON.stringify(json).replaceAll(shown, '<id>').replaceAll(id, '<id>') }
}

/** Returns the entities of an application, by kind. */
export const everything = async (client: Client): Promise<Record<string, Record<string, unknown>[]>> => {
  const page = async (plural: string) => pageAt(client, `/api/${plural}`, { include: 'external_id' })
  const found = [...resources.values()].map(async ({ name, plural }) => [name, (await page(plural)).items])
  return Object.fromEntries(await Promise.all(found))
}

/** Returns ids and forged keys with which another application might look for an entity. */
export const spellingsOf = (app: string, id: string, clientId: string): string[] => [
  id,
  clientId,
  `${app}#${id}`,
  `${app}/${id}`,
  `#${id}`,
  `${id}#ENTITY`,
  `../${app}#${id}`,
  encodeURIComponent(`${app}#${id}`),
  [...id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  ` ${id}`,
  `${id}\u00a0`,
  id.toUpperCase(),
]
