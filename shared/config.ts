/** The configuration of a deployed function. Only this module reads the environment. */

/** The seconds for which a deployment holds a change back from change feeds. */
export const HOLD_BACK_SECONDS = 330

/** The settings of a service that uses the table. */
export interface ServiceSettings {
  /** The name of the table. */
  readonly table: string
  /** The address of another DynamoDB endpoint than the region's, for the embedded engine. */
  readonly endpoint: string | undefined
  /** The seconds for which a change is held back from change feeds (shared/store/changes.ts). */
  readonly holdBackSeconds: number
}

/** Reads the settings from the environment. Throws Error if it does not name the table. */
export const readSettings = (): ServiceSettings => {
  const { TABLE_NAME: table, DYNAMODB_ENDPOINT: endpoint, HOLD_BACK_SECONDS: seconds } = process.env
  if (!table) throw new Error('TABLE_NAME is not set: it must name the DynamoDB table')
  return { table, endpoint, holdBackSeconds: Number(seconds ?? HOLD_BACK_SECONDS) }
}

/** The origin whose pages are allowed to read responses (CORS), or undefined. */
export const corsOrigin = (): string | undefined => process.env.CORS_ORIGIN || undefined

/** The names of the pages that are served, such as `docs, console`; empty if there are none. */
export const servedPages = (): string => process.env.SERVED_PAGES ?? ''

/** The trace id of the current request, as in the gateway's access log (`1-…`); undefined outside Lambda. */
export const traceId = (): string | undefined =>
  /\bRoot=([\w-]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1]

/** The version of the running function, such as `12` or `$LATEST`; undefined outside Lambda. */
export const functionVersion = (): string | undefined => process.env.AWS_LAMBDA_FUNCTION_VERSION
