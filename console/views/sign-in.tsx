import { useEffect, useState } from 'preact/hooks'
import { BillingApiError, createClient } from '../../client/index.ts'
import { type Application, deleteCopy } from '../copy/database.ts'
import { Form, trimmedText } from '../forms/form.tsx'
import { resourcesOf } from '../frame/contract.ts'
import type { Connection } from '../frame/session.ts'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/problem.tsx'
import './sign-in.css'

interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

const KEPT = 'billing-console-keys'
const SIGNED_OUT = 'billing-console-signed-out'

/** Returns the credentials that this tab has kept, of each application once, the latest last. */
const keptCredentials = (): readonly Credentials[] =>
  JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Credentials[]

const withoutApplication = (appId: string): Credentials[] =>
  keptCredentials().filter((credentials) => credentials.appId !== appId)

/** Keeps credentials until the tab is closed. */
const keepCredentials = (credentials: Credentials): void => {
  sessionStorage.removeItem(SIGNED_OUT)
  const kept = [...withoutApplication(credentials.appId), credentials]
  sessionStorage.setItem(KEPT, JSON.stringify(kept))
}

/**
 * Returns the credentials to sign in with at once: those that the tab has kept, or else those that the page has filled in,
 * unless somebody has just signed out. If the address names an application, only that application's.
 */
const usualCredentials = (
  { appId, apiKey }: Partial<Credentials>,
  wanted: string | undefined,
): Credentials | undefined => {
  const isWanted = (credentials: Credentials) => wanted === undefined || credentials.appId === wanted
  const kept = keptCredentials().findLast(isWanted)
  if (kept) return kept
  if (!appId || !apiKey || sessionStorage.getItem(SIGNED_OUT)) return undefined
  return isWanted({ appId, apiKey }) ? { appId, apiKey } : undefined
}

/** Forgets this tab's credentials of an application, keeps it from signing in by itself, and deletes the copy of the lists. */
export const forget = (application: Application): Promise<void> => {
  sessionStorage.setItem(KEPT, JSON.stringify(withoutApplication(application.appId)))
  sessionStorage.setItem(SIGNED_OUT, 'yes')
  return deleteCopy(application)
}

/** The address of the API, which the console is a page of. */
const baseUrl = location.origin + location.pathname.replace(/\/+console\/*$/, '')

/** Reads with the key what changed of the products, and the API's document. Rejects with what the client rejects with. */
const connect = async (credentials: Credentials): Promise<Connection> => {
  const api = createClient({ baseUrl, ...credentials }) as unknown as Connection['api']
  // Before the document, as the client says best why the service cannot be reached.
  const { headers } = await api.products!.list({ limit: 1, changed_since: 0 }).withResponse()
  const response = await fetch(`${baseUrl}/openapi.json`)
  const hasDocs = response.headers.get('served-pages')?.includes('docs')
  const { appId, apiKey } = credentials
  return {
    baseUrl,
    appId,
    applicationName: decodeURIComponent(headers.get('application-name') ?? appId),
    docsUrl: hasDocs ? `${baseUrl}/docs` : undefined,
    resources: resourcesOf(await response.json()),
    api,
    mayChange: !apiKey.startsWith('bdr_'),
    heldBack: Number(headers.get('changes-held-back')),
  }
}

interface SignInProps {
  readonly filledIn: Partial<Credentials>
  /** The application that the address names. The page never shows another one in its place. */
  readonly wanted: string | undefined
  readonly reason: unknown
  readonly signedIn: (connection: Connection) => void
}

/** Asks for an application's credentials, which stay in memory or, if asked, with the tab. */
export const SignIn = ({ filledIn, wanted, reason, signedIn }: SignInProps) => {
  const [error, setError] = useState(reason)
  const [usual] = useState(() => (reason === undefined ? usualCredentials(filledIn, wanted) : undefined))
  const [signsInByItself, setSignsInByItself] = useState(usual !== undefined)
  const enter = async (credentials: Credentials, keep: boolean) => {
    setError(undefined)
    try {
      const connection = await connect(credentials)
      if (keep) keepCredentials(credentials)
      signedIn(connection)
    } catch (thrown) {
      setError(thrown)
      if (thrown instanceof BillingApiError && thrown.status === 401)
        await forget({ ...credentials, baseUrl })
    }
  }
  useEffect(() => {
    if (usual) enter(usual, true).finally(() => setSignsInByItself(false))
  }, [])
  const send = (typed: FormData) =>
    enter({ appId: trimmedText(typed, 'app_id'), apiKey: trimmedText(typed, 'api_key') }, typed.has('keep'))
  const filledInKey = wanted === undefined || wanted === filledIn.appId ? filledIn.apiKey : undefined
  if (signsInByItself)
    return (
      <main class="sign-in">
        <p role="status">Signing in …</p>
      </main>
    )
  return (
    <main class="sign-in">
      <Form class="card" action="Sign in" send={send}>
        <Heading name="Sign in" />
        {wanted && (
          <p>
            This address belongs to the application <code>{wanted}</code>. Sign in with a key of this
            application to see the page.
          </p>
        )}
        <p class="quiet">
          The billing console shows what an application has recorded, with its API key. It keeps a copy of the
          customers and invoices in this browser until you sign out.
        </p>
        <label>
          Application id
          <input
            name="app_id"
            required
            autocomplete="off"
            spellcheck={false}
            value={wanted ?? filledIn.appId}
          />
        </label>
        <label>
          API key
          <input name="api_key" type="password" required autocomplete="off" value={filledInKey} />
        </label>
        <label class="check">
          <input name="keep" type="checkbox" /> Keep the key until this tab is closed
        </label>
        {error !== undefined && <Problem error={error} />}
      </Form>
    </main>
  )
}
