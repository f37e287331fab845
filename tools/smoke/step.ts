/** The response to a call of the smoke test, and whether it is the expected one. */
export interface StepOutcome {
  readonly response: unknown
  readonly isExpected: boolean
}

/** A call of the smoke test. */
export interface Step {
  /** What is called: the id of an endpoint, with a note if it is called in several ways, or a request that the gateway handles. */
  readonly name: string
  /** Makes the call. Rejects if there is no response, or if the client throws its error. */
  readonly run: () => Promise<StepOutcome>
}

/** Returns a step that makes a call and checks its response. */
export const step = <Response>(
  name: string,
  call: () => Promise<Response>,
  isExpected: (response: Response) => boolean,
): Step => ({
  name,
  run: async () => {
    const response = await call()
    return { response, isExpected: isExpected(response) }
  },
})
