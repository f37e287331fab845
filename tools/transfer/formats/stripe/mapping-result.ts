import type { RowDetails } from '../../draft.ts'
import { Refusal, type StripeObject } from './values.ts'

/** An object that was mapped to the body of a create. If the row cannot be sent, it has a problem too. */
export interface MappedObject
  extends Pick<RowDetails, 'isErased' | 'isReversal' | 'precondition' | 'settlementId' | 'problem'> {
  /** The name of the resource. */
  readonly type: string
  readonly body: StripeObject
}

/** An object that could not be mapped. */
interface UnmappedObject extends Pick<RowDetails, 'precondition' | 'settlementId'> {
  readonly type?: string
  readonly problem: string
}

/** An object that is skipped deliberately. */
interface SkippedObject {
  readonly skipReason: string
}

/** The result of mapping an object. */
export type Mapping = MappedObject | UnmappedObject | SkippedObject

/** Returns the body that `map` returns. If `map` throws Refusal, returns the problem. */
export const tryMapping = (
  type: string,
  map: () => StripeObject,
):
  | { readonly type: string; readonly body: StripeObject }
  | { readonly type: string; readonly problem: string } => {
  try {
    return { type, body: map() }
  } catch (error) {
    if (error instanceof Refusal) return { type, problem: error.message }
    throw error
  }
}
