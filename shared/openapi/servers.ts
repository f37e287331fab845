/** The document's `servers`: the address of the API, without variables, since some generators take the URL as it stands. */
export const serversAt = (baseUrl: string) => [{ url: baseUrl }]
