import { useEffect, useState } from 'preact/hooks'
import { BillingApiError, createClient } from '../../client/index.ts'
import { type Application, deleteCopy } from '../copy/database.ts'
import { resourcesOf } from '../frame/contract.ts'
import type { Connection } from '../frame/session.ts'
import { Heading } from '../parts/heading.tsx'
import { Form, Problem, typedIn } from '../parts/requests.tsx'
import './sign-in.css'

interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

const KEPT = 'billing-console'
const SIGNED_OUT = 'billing-console-signed-out'

/** Keeps credentials until the tab is closed. */
const keepCredentials = (credentials: Credentials): void => {
  sessionStorage.removeItem(SIGNED_OUT)
  sessionStorage.setItem(KEPT, JSON.stringify(credentials))
}

/**
 * Returns the credentials to sign in with at once: those that the tab has kept, or else those that the page has filled in,
 * unless somebody has just signed out.
 */
const usualCredentials = ({ appId, apiKey }: Partial<Credentials>): Credentials | undefined => {
  const kept = sessionStorage.getItem(KEPT)
  if (kept) return JSON.parse(kept) as Credentials
  return appId && apiKey && !sessionStorage.getItem(SIGNED_OUT) ? { appId, apiKey } : undefined
}

/** Forgets this tab's credentials, keeps it from signing in by itself, and deletes the copy of the lists. */
export const forget = (application: Application): Promise<void> => {
  sessionStorage.removeItem(KEPT)
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
  const document = await fetch(`${baseUrl}/openapi.json`).then((response) => response.json())
  const mayChange = !credentials.apiKey.startsWith('bdr_')
  const heldBack = Number(headers.get('changes-held-back'))
  return { baseUrl, appId: credentials.appId, resources: resourcesOf(document), api, mayChange, heldBack }
}

interface SignInProps {
  readonly filledIn: Partial<Credentials>
  readonly reason: unknown
  readonly signedIn: (connection: Connection) => void
}

/** Asks for an application's credentials, which stay in memory or, if asked, with the tab. */
export const SignIn = ({ filledIn, reason, signedIn }: SignInProps) => {
  const [error, setError] = useState(reason)
  const [usual] = useState(() => (reason === undefined ? usualCredentials(filledIn) : undefined))
  const [byItself, setByItself] = useState(usual !== undefined)
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
    if (usual) enter(usual, true).finally(() => setByItself(false))
  }, [])
  const send = (typed: FormData) =>
    enter({ appId: typedIn(typed, 'app_id'), apiKey: typedIn(typed, 'api_key') }, typed.has('keep'))
  if (byItself)
    return (
      <main class="sign-in">
        <p role="status">Signing in …</p>
      </main>
    )
  return (
    <main class="sign-in">
      <Form class="card" action="Sign in" send={send}>
        <Heading name="Sign in" />
        <p class="quiet">
          The billing console shows what an application has recorded, with its API key. It keeps a copy of the
          customers and invoices in this browser until you sign out.
        </p>
        <label>
          Application id
          <input name="app_id" required autocomplete="off" spellcheck={false} value={filledIn.appId} />
        </label>
        <label>
          API key
          <input name="api_key" type="password" required autocomplete="off" value={filledIn.apiKey} />
        </label>
        <label class="check">
          <input name="keep" type="checkbox" /> Keep the key until this tab is closed
        </label>
        {error !== undefined && <Problem error={error} />}
      </Form>
    </main>
  )
}
