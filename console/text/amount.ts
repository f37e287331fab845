/** An amount of minor units of a currency. */
export interface Amount {
  readonly amount: number
  readonly currency: string
}
