import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway'

/** For any other media type, the gateway returns UNSUPPORTED_MEDIA_TYPE. */
const mediaTypes = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
]

/** Writes headers in the gateway's notation. */
export const literalHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]))

export interface FixedResponse {
  readonly status: string
  readonly body: string
  /** Each value is a literal in single quotes, or a variable of the gateway such as `context.requestId`. */
  readonly headers: Readonly<Record<string, string>>
}

export const addFixedResponse = (resource: IResource, method: string, response: FixedResponse): void => {
  const { status: statusCode, body, headers } = response
  const names = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  )
  const integration = new MockIntegration({
    // Every media type counts as binary, and a mock can use its template only after conversion to text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: Object.fromEntries(
      mediaTypes.map((type) => [type, JSON.stringify({ statusCode: Number(statusCode) })]),
    ),
    integrationResponses: [
      {
        statusCode,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseParameters: Object.fromEntries(names),
        responseTemplates: { 'application/json': body },
      },
    ],
  })
  resource.addMethod(method, integration, {
    methodResponses: [
      { statusCode, responseParameters: Object.fromEntries(names.map(([name]) => [name, true])) },
    ],
  })
}
