interface StepOutcome {
  readonly response: unknown
  readonly isExpected: boolean
}

export interface Step {
  /** The id of an endpoint with a note, or a request that the gateway handles. */
  readonly name: string
  /** Rejects if there is no response, or if the client throws its error. */
  readonly run: () => Promise<StepOutcome>
}

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
