import type { APIGatewayProxyEvent, Context } from 'aws-lambda'

/** Parts of a gateway's event. Those of events that people write by hand may be null or absent. */
export type EventParts = Readonly<Partial<Record<keyof APIGatewayProxyEvent, unknown>>>

/**
 * Returns an event of the gateway that has these parts alone. The gateway itself sends all parts, but functions must also
 * handle an event that a person wrote.
 */
export const eventWith = (parts: EventParts): APIGatewayProxyEvent => parts as APIGatewayProxyEvent

/** Returns a Lambda context that reports this remaining time, in milliseconds, and has nothing else. */
export const contextWith = (remainingMillis: () => number): Context =>
  ({ getRemainingTimeInMillis: remainingMillis }) satisfies Partial<Context> as Context
