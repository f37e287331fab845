/** The place of a row. */
export interface Origin {
  /** The file as named in the arguments; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON, CSV) or of the object (Stripe); 0 for a problem of a whole list of objects. */
  readonly row: number
}

/** How the cells of a CSV row were read. */
export interface Reading {
  /** Advice for the user in case the service refuses the row, in sentences. */
  readonly hints?: readonly string[]
  /** The conversion of each cell that is the first of its column, with its line: `line 2 of …: total 19,00 € → 1900`. */
  readonly conversions?: readonly string[]
  /** The options that determine how the cells are read: `--decimal ,` or, if the option was not given, `no --decimal`. */
  readonly notationOptions?: readonly string[]
}

/** An entity that must or must not be recorded for a row to be sent, and what happens to the row otherwise. */
export interface Precondition {
  /** The name of the entity's resource. */
  readonly type: string
  /** The client's id. */
  readonly id: string
  /** True if the entity must be recorded, false if it must not. */
  readonly isRecorded: boolean
  readonly otherwise: { readonly skipReason: string } | { readonly problem: string }
}

/** How a row is sent, and what is reported about it. */
export interface RowDetails extends Reading {
  /** Whether to record the customer as erased. */
  readonly isErased?: true
  /** Whether an invoice that is already recorded keeps the prices of its line items. */
  readonly keepsPrices?: true
  readonly precondition?: Precondition
  /** The client's id of an invoice. If the user has recorded it, a row with a problem counts as unchanged. */
  readonly settlementId?: string
  /** Whether the row reverses a recorded invoice. */
  readonly isReversal?: true
  /** The places of the objects in the row's list, if they are other rows: `line 7 of line_items.csv`. */
  readonly partPlaces?: readonly string[]
  /** The fields that have no column in the file and were derived from the line items of the invoice. */
  readonly derivedFields?: readonly string[]
  /** The reason why the row cannot be sent, in sentences. */
  readonly problem?: string
  /** The reason why the row is skipped deliberately. */
  readonly skipReason?: string
  /** The kinds of content that are left out of the entity. */
  readonly leftOut?: readonly string[]
}

/** A row of a file: an entity to create. */
export interface Draft extends Origin, RowDetails {
  /** The name of the resource; null if the row does not contain it. */
  readonly type: string | null
  /** The body of the create, which only the service validates. If the row has a problem: its content in the file. */
  readonly data: unknown
}

/** Returns a row that cannot be sent, because of a problem in sentences. `content` is the row as it is in the file. */
export const unusableDraft = (origin: Origin, content: unknown, problem: string): Draft => ({
  ...origin,
  type: null,
  data: content,
  problem,
})
