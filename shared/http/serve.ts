import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { budget, withinBudget } from '../budget.ts'
import type { Call, Work } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { authenticate } from './authenticate.ts'
import { jsonBody } from './body.ts'
import { envelope } from './envelope.ts'
import { responseForMethod } from './responses.ts'
import { validate } from './validate.ts'

/** A Lambda handler. Without a context, as in a unit test, only the budget of a request limits its time. */
export type Handler = (event: APIGatewayProxyEvent, context?: Context) => Promise<APIGatewayProxyResult>

/** Returns the context if it has the remaining time, with which middy ends a request early; otherwise an empty context. */
const contextWithTime = (context: Context | undefined): Partial<Context> => {
  const remaining = context?.getRemainingTimeInMillis?.() ?? 0
  return context && remaining > 0 ? context : {}
}

/** Returns the Lambda handler of an endpoint: the pipeline of middlewares around its work, in the order of execution. */
export const serve = <E extends Endpoint>(endpoint: E, work: Work<E>): Handler => {
  const pipeline = middy({ timeoutEarlyInMillis: budget.responseReserve })
    .use(envelope(endpoint))
    .use(authenticate(endpoint))
    .use(jsonBody(endpoint))
    .use(validate(endpoint))
    // The work receives only the validated call, and has no access to the event.
    .before((request) => {
      Object.assign(request, { event: request.internal.call })
    })
    .handler((call: unknown) => work(call as Call<E>))
  return async (event, lambdaContext) => {
    // A copy, because the pipeline changes the body. It also turns an absent event into one without credentials.
    const received = { ...event }
    const context = contextWithTime(lambdaContext)
    const response = await withinBudget(context.getRemainingTimeInMillis?.(), () =>
      pipeline(received, context as Context),
    )
    return responseForMethod(received.httpMethod, response as APIGatewayProxyResult)
  }
}
