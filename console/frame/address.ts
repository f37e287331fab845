const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Reads an address of the console from the part of a URL after `#`, of which nothing is sent to a server: the decoded
 * segments of a path, and a query.
 */
export const addressFrom = (hash: string) => {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query.join('?'))),
  }
}

export type Address = ReturnType<typeof addressFrom>

/** Returns the link to an address; that of the API is the same after its `/api`. Empty parameters are left out. */
export const linkTo = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const given = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]))
  const text = new URLSearchParams(given).toString().replaceAll('%2C', ',')
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`
}
