/** The address of a page: the part of a URL after `#`, which browsers never send to a server. */
export interface Address {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

/** The parameters that links carry from page to page: the currency, months, segments, time zone and application. */
export const CARRIED_PARAMETERS = ['currency', 'months', 'by', 'zone', 'app'] as const

const isCarried = (name: string): boolean => CARRIED_PARAMETERS.some((carried) => carried === name)

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const addressFrom = (hash: string): Address => {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query.join('?'))),
  }
}

/** The address of the page that is shown. Outside a page, as in a test, it is the address of the overview. */
export const currentAddress = (): Address => {
  const { location } = globalThis as { readonly location?: { readonly hash: string } }
  return addressFrom(location?.hash ?? '')
}

/** Returns a path with a query, as it is in the API after `/api`. Empty parameters are left out. */
export const pathWithQuery = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string => {
  const present = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  // Commas and slashes need no encoding in a query, and can be read without it.
  const text = new URLSearchParams(present).toString().replaceAll('%2C', ',').replaceAll('%2F', '/')
  return `/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`
}

/** Carried parameters that the query does not contain are taken from the address `from`. An empty one is left out. */
export const linkTo = (
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
  from: Address = currentAddress(),
): string => {
  const ownParameters = Object.entries(query).filter(([name]) => !isCarried(name))
  const carried = CARRIED_PARAMETERS.map((name) => [name, name in query ? query[name] : from.query[name]])
  return `#${pathWithQuery(path, Object.fromEntries([...ownParameters, ...carried]))}`
}
