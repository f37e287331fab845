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

/** Returns the link to an address. Empty parameters are left out. */
export const linkTo = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value ? [[name, value] as [string, string]] : [],
  )
  const text = String(new URLSearchParams(given))
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`
}
