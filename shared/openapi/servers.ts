/** The document's `servers`: the API at one base URL, which a reader may change. */
export const serversAt = (baseUrl: string) => [
  {
    url: '{base_url}',
    variables: { base_url: { default: baseUrl, description: 'Where the service runs.' } },
  },
]
