import type { About } from './about.ts'
import type { Field } from './field.ts'
import type { FieldPath } from './identifiers.ts'
import type { Entity, Resource } from './resource.ts'
import type { Schema, Values } from './schema.ts'

/** An entity that is embedded, with the entities embedded in it. */
export interface EmbeddedEntity<R extends Resource = Resource> {
  readonly entity: Entity<R>
  readonly embedded?: Values
}

/** The entities that were read to be embedded. */
export interface ReadEntities {
  /** Finds an entity by the name of its resource and its server id. */
  find(resource: string, id: string): Entity | undefined
  /** All children of an entity, newest first. */
  childrenOf(entity: Entity): readonly Entity[]
}

/** The schemas of responses from which the schemas of includes are made. */
export interface ResponseSchemas {
  field(field: Field): Schema
  externalId(resource: string): Schema
  entity(resource: string): Schema
  entityWithParent(resource: string): Schema
}

/** A value that a request can embed: everything that a kind of include knows of itself. */
export interface Include {
  readonly about?: About | undefined
  /** Where the value, or the ids of the embedded entities, are stored; absent if they are in no field. */
  readonly path?: FieldPath
  /** The children that are embedded: the name of their resource, and their field with the parent's id. */
  readonly children?: { readonly resource: string; readonly field: string }
  /** Whether entities are embedded, each of which has `external_id` if the request includes it. */
  readonly embedsEntities?: true
  /** The ids of the entities to read, as far as what was read shows them; absent if none are read by id. */
  idsToRead?(entity: Entity, read: ReadEntities): readonly string[]
  /** The value to embed: if it is of the objects of a list, one for each object. */
  embed(entity: Entity, read: ReadEntities): unknown
  schema(resource: Resource, schemas: ResponseSchemas): Schema
  /** What makes a response too large, and what to request instead; absent if the value cannot be large. */
  excess?(name: string, entity: Entity): { readonly of: string; readonly advice: string }
}

/** The includes of an operation, by the name in the parameter `include`. */
export type Includes = Readonly<Record<string, Include>>

/** The client's own id. */
export const externalId: Include = {
  embed: (entity) => entity.externalId,
  schema: ({ name }, schemas) => schemas.externalId(name),
}
