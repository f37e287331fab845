/** Where one is in the console, from the part of the address after `#`: nothing of it is sent to a server. */
export interface Address {
  /** The decoded segments of the path. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Reads an address from the fragment of a URL. */
export const addressFrom = (hash: string): Address => {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query.join('?'))),
  }
}

/** Returns the link to an address; that of the API is the same after its `/api`. Empty parameters are left out. */
export const linkTo = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const given = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]))
  const text = new URLSearchParams(given).toString().replaceAll('%2C', ',')
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`
}
