import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { createClient } from '../client/index.ts'
import { resourcesOf } from './contract.ts'
import { Problem } from './loading.tsx'
import type { Connection } from './session.ts'
import './sign-in.css'

interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

const KEPT = 'billing-console'

/** The credentials that are kept for this tab, if its user asked for that. */
const keptCredentials = (): Credentials | null => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')

/** Forgets the credentials that are kept for this tab. */
export const forgetCredentials = (): void => sessionStorage.removeItem(KEPT)

/** The address of the API, which the console is a page of. */
const baseUrl = location.origin + location.pathname.replace(/\/+console\/*$/, '')

/** Reads the API's document, and a product with the key. Rejects with what the client rejects with. */
const connect = async (credentials: Credentials): Promise<Connection> => {
  const client = createClient({ baseUrl, ...credentials })
  const [document] = await Promise.all([
    fetch(`${baseUrl}/openapi.json`).then((response) => response.json()),
    client.products.list({ limit: 1 }),
  ])
  const api = client as unknown as Connection['api']
  return { baseUrl, appId: credentials.appId, resources: resourcesOf(document), api }
}

interface SignInProps {
  /** What the page has filled in. */
  readonly filledIn: Partial<Credentials>
  /** Why the last session ended. */
  readonly reason: unknown
  readonly signedIn: (connection: Connection) => void
}

/** Asks for an application's credentials, which stay in memory or, if asked, with the tab. */
export const SignIn = ({ filledIn, reason, signedIn }: SignInProps) => {
  const [error, setError] = useState(reason)
  const [kept] = useState(keptCredentials)
  const [busy, setBusy] = useState(kept !== null)
  const enter = async (credentials: Credentials, keep: boolean) => {
    setBusy(true)
    setError(undefined)
    try {
      const connection = await connect(credentials)
      if (keep) sessionStorage.setItem(KEPT, JSON.stringify(credentials))
      signedIn(connection)
    } catch (thrown) {
      setBusy(false)
      setError(thrown)
    }
  }
  useEffect(() => {
    if (kept) enter(kept, true)
  }, [])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name)).trim()
    enter({ appId: textOf('app_id'), apiKey: textOf('api_key') }, form.has('keep'))
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Billing console</h1>
        <p class="quiet">See what an application has recorded, with its API key.</p>
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
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        {error !== undefined && <Problem error={error} />}
      </form>
    </main>
  )
}
