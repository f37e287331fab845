import type { Precondition } from '../../row.ts'
import { type Json, Refusal } from './values.ts'

/** The result of mapping an object: the body of a create, a problem, or the reason why it is skipped. */
export type Mapping =
  | {
      readonly type: string
      readonly body: Json
      readonly isErased?: true
      readonly isReversal?: true
      readonly precondition?: Precondition
      readonly settledBy?: string
      readonly problem?: string
    }
  | {
      readonly type?: string
      readonly problem: string
      readonly precondition?: Precondition
      readonly settledBy?: string
    }
  | { readonly skip: string }

/** Returns what `map` returns; a problem if the object cannot be mapped. */
export const mapped = (
  type: string,
  map: () => Json,
): { type: string; body: Json } | { type: string; problem: string } => {
  try {
    return { type, body: map() }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}
