import { referencesOf } from '../../../shared/contract/identifiers.ts'
import { createEndpoints } from '../create-endpoints.ts'
import type { Row } from './row.ts'

/** Returns the length of the longest chain of references that starts at a resource; 0 if it refers to no other. */
const referenceDepth = (type: string): number => {
  const { fields } = createEndpoints.get(type)!.resource
  const targets = referencesOf(fields).map(({ reference }) => reference.target)
  const depths = targets.filter((target) => createEndpoints.has(target)).map(referenceDepth)
  return depths.length === 0 ? 0 : Math.max(...depths) + 1
}

const passByType = new Map([...createEndpoints.keys()].map((type) => [type, referenceDepth(type)]))

/** The pass of rows whose precondition depends on what the other rows record. */
const LAST_PASS = Math.max(...passByType.values()) + 1

/** The number of passes in which rows are sent: one for each depth of references, and the last one. */
export const PASSES = LAST_PASS + 1

/** Returns the zero-based pass in which a row is sent: after the rows of the resources that it refers to. */
export const passOf = ({ type, precondition }: Row): number =>
  precondition ? LAST_PASS : (passByType.get(type ?? '') ?? 0)
