import { BillingApiError } from '../../client/index.ts'

/** Returns the BillingApiError with which a call of the client fails. Throws if the call succeeds or fails with another error. */
export const apiErrorOf = async (call: Promise<unknown>): Promise<BillingApiError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof BillingApiError) return error
  throw new Error('The call did not fail with a BillingApiError.', { cause: error })
}
