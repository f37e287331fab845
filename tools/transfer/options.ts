/**
 * How a row ended. `unchanged`: it was recorded before with the same content. `conflict`: its id belongs to other
 * content. `invalid`: the service refuses it. `failed`: the service could not process it.
 */
export type Outcome = 'created' | 'unchanged' | 'conflict' | 'invalid' | 'failed'

/** The counts of an import: how it stands, or how it ended. */
export interface ImportCounts extends Readonly<Record<Outcome, number>> {
  /** All rows to import, without those that are skipped. */
  readonly rows: number
  /** Rows that an earlier run recorded according to the report; they count in no outcome. */
  readonly resumed: number
  /** Objects of Stripe that are left out on purpose, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Rows that cannot be sent, by reason; they end as `invalid`. */
  readonly unusable: Readonly<Record<string, number>>
  /** Seconds since the first row was sent; 0 while the rows are being counted. */
  readonly seconds: number
}

/** The result of one row. */
export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** What is wrong, a sentence each. */
  readonly errors: readonly string[]
}

/** The result of one row and where the row came from. */
export interface ReportedRow extends RowResult {
  /** The file as it was named; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON), of the record after the header (CSV) or of the object (Stripe). */
  readonly row: number
  /** The noun, if the row names one that can be created. */
  readonly type: string | null
  /** Your own id, if the row has one. */
  readonly id: string | number | null
}

/** The application to import into, and how. */
export interface ImportOptions {
  /** The address of the API, such as `https://billing.example.org`. */
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Finds the outcome of every row and records nothing. */
  readonly dryRun?: boolean | undefined
  /** A file to append a line of JSON to for each row. The next run with the same file skips the recorded rows. */
  readonly report?: string | undefined
  /** The maximum number of concurrent requests: 1 to 1,000, by default 64. The import sends fewer while it is throttled. */
  readonly concurrency?: number | undefined
  /** Called for every row, when it is counted and when it has ended. The object stays the same and changes. */
  readonly onProgress?: ((counts: ImportCounts) => void) | undefined
  /** Called for every row that ends as `conflict`, `invalid` or `failed`. */
  readonly onRefused?: ((row: ReportedRow) => void) | undefined
}

/** The format of files. */
export type Format = 'ndjson' | 'csv' | 'stripe'

export interface ImportFilesOptions extends ImportOptions {
  /** If not given: `csv` for names that end in `.csv` or `.csv.gz`, `ndjson` for all others. */
  readonly format?: Format | undefined
}
