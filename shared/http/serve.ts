import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import type { Resource } from '../contract/resource.ts'
import type { ObjectSchema } from '../contract/schema.ts'
import { budget, withinBudget } from '../store/budget.ts'
import { authenticate } from './authenticate.ts'
import { readBody } from './body.ts'
import { envelope } from './envelope.ts'
import type { Input } from './input.ts'
import type { Answer } from './present.ts'
import { stateOf } from './state.ts'
import { validate } from './validate.ts'

/** A deployed function. Where a test of one alone gives it no context, or one without time, it takes what it may. */
export type Handler = (event: APIGatewayProxyEvent, context?: Context) => Promise<APIGatewayProxyResult>

/** What an endpoint does: validated input to an answer, or an ApiError. */
export type Operation<B extends ObjectSchema | undefined> = (input: Input<B>) => Promise<Answer>

const timed = (context: Context | undefined): Partial<Context> =>
  (context?.getRemainingTimeInMillis?.() ?? 0) > 0 ? context! : {}

/** The Lambda handler of an endpoint: the pipeline, in the order in which things happen, around the operation. */
export const serve = <R extends Resource, B extends ObjectSchema | undefined>(
  endpoint: Endpoint<R, B>,
  operation: Operation<B>,
): Handler => {
  const pipeline = middy({ timeoutEarlyInMillis: budget.early })
    .use(envelope(endpoint))
    .use(authenticate())
    .use(readBody(endpoint))
    .use(validate(endpoint))
    // The handler sees only the validated input; the raw event is out of its reach.
    .before((request) => {
      Object.assign(request, { event: stateOf(request).input })
    })
    .handler((input: unknown) => operation(input as Input<B>))
  return (event, given) => {
    const context = timed(given)
    return withinBudget(context.getRemainingTimeInMillis?.(), () =>
      pipeline({ ...event }, context as Context),
    ) as Promise<APIGatewayProxyResult>
  }
}
