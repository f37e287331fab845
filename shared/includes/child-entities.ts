import type { About } from '../contract/about.ts'
import type { Include } from '../contract/include.ts'

/** All entities of another resource whose parent is this one. */
export const childEntities = (
  children: NonNullable<Include['children']>,
  about: About | undefined,
): Include => ({
  about,
  children,
  embedsEntities: true,
  embed: (entity, read) => read.childrenOf(entity).map((child) => ({ entity: child })),
  schema: (_, schemas) => ({ type: 'array', items: schemas.entity(children.resource), expects: 'a list' }),
  excess: (name, { id }) => ({
    of: name,
    advice: `read them with GET /api/${name}?${children.field}=${id}`,
  }),
})
