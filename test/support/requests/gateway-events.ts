import type { APIGatewayProxyEvent, Context } from 'aws-lambda'

/** Those of events that people write by hand may be null or absent. */
export type EventParts = Readonly<Partial<Record<keyof APIGatewayProxyEvent, unknown>>>

/** The gateway itself sends all parts, but functions must also handle an event that a person wrote. */
export const eventWith = (parts: EventParts): APIGatewayProxyEvent => parts as APIGatewayProxyEvent

/** In milliseconds. */
export const contextWith = (remainingMillis: () => number): Context =>
  ({ getRemainingTimeInMillis: remainingMillis }) satisfies Partial<Context> as Context
