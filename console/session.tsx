import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createClient } from '../client/index.ts'
import type { Operations } from './api.ts'
import { type Document, type Resource, resourcesOf } from './contract.ts'

/** The credentials of an application. */
export interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

/** Somebody's use of the API, from the sign-in to the sign-out. */
export interface Session {
  readonly baseUrl: string
  readonly appId: string
  readonly document: Document
  readonly resources: readonly Resource[]
  readonly api: Readonly<Record<string, Operations>>
}

const KEPT = 'billing-console'

/** The credentials that are kept for this tab, if its user asked for that. */
export const keptCredentials = (): Credentials | undefined => {
  const text = sessionStorage.getItem(KEPT)
  return text ? (JSON.parse(text) as Credentials) : undefined
}
export const keepCredentials = (credentials: Credentials): void =>
  sessionStorage.setItem(KEPT, JSON.stringify(credentials))
export const forgetCredentials = (): void => sessionStorage.removeItem(KEPT)

/** The address of the API, which the console is a page of. */
const baseUrl = location.origin + location.pathname.replace(/\/+console\/*$/, '')

/** Signs in: reads the API's document, and its first product with the key. Rejects with what the client rejects with. */
export const signIn = async (credentials: Credentials): Promise<Session> => {
  const client = createClient({ baseUrl, ...credentials })
  const [document] = await Promise.all([
    fetch(`${baseUrl}/openapi.json`).then((response) => response.json() as Promise<Document>),
    client.products.list({ limit: 1 }),
  ])
  const api = client as unknown as Session['api']
  return { baseUrl, appId: credentials.appId, document, resources: resourcesOf(document), api }
}

/** Returns the name of the copy that this browser keeps of an application's lists. */
export const copyName = ({ baseUrl, appId }: Session): string => `billing ${baseUrl} ${appId}`

/** Whether the user allows changes. */
export const ChangesContext = createContext(false)

/** The current session, for every component below. */
export const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the current session. Throws Error outside of one. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session')
  return session
}
