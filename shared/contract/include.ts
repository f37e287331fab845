import type { About } from './about.ts'

/**
 * The source of an embedded value: a hidden field, the client's own ids, the entities that a field refers to, the entities that
 * the objects of a list refer to, or the children of this entity.
 */
export type Include =
  | { readonly from: 'field'; readonly field: string }
  | { readonly from: 'external_id' }
  | {
      readonly from: 'reference'
      readonly field: string
      readonly about: About | undefined
    }
  | ListedInclude
  | {
      readonly from: 'children'
      /** The resource of the children. */
      readonly target: string
      /** The field of the children that refers to this entity. */
      readonly field: string
      readonly about: About | undefined
    }

/** An include whose entities are embedded in the objects of a list. Each object embeds its own entity. */
export interface ListedInclude {
  readonly from: 'listed'
  /** The field with the list. It is an include too, and must be requested with this one. */
  readonly list: string
  /** The field of the objects that refers to the embedded entity. */
  readonly field: string
  /** The resource of the entity's parent, which the entity embeds. */
  readonly parent: string
  readonly about: About | undefined
}

/** The includes of an operation, by the name in the parameter `include`. */
export type Includes = Readonly<Record<string, Include>>
