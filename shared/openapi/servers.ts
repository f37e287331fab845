/** The document's `servers`: the API at one base URL, which a reader may change. */
export const serversAt = (baseUrl: string) => [
  {
    url: '{base_url}',
    variables: { base_url: { default: baseUrl, description: 'Where the service runs.' } },
  },
]

/** Where the document is served: no operation of the API, and no key is asked for. */
export const documentRoute = { method: 'GET', path: '/openapi.json' } as const
