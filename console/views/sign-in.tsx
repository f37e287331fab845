import { useEffect, useState } from 'preact/hooks'
import { BillingApiError, createClient } from '../../client/index.ts'
import { type CopiedApplication, deleteCopy } from '../copy/database.ts'
import { Form, trimmedText } from '../forms/form.tsx'
import { linkTo } from '../frame/address.ts'
import { resourcesOf } from '../frame/contract.ts'
import type { Connection } from '../frame/session.ts'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/problem.tsx'

interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

/** The key under which this tab keeps credentials, and the key of the mark that the user has signed out. */
const KEPT_KEYS = 'billing-console-keys'
const SIGNED_OUT = 'billing-console-signed-out'

/** Returns the credentials that this tab has kept, once for each application, the latest last. */
const keptCredentials = (): readonly Credentials[] =>
  JSON.parse(sessionStorage.getItem(KEPT_KEYS) ?? '[]') as Credentials[]

const withoutApplication = (appId: string): Credentials[] =>
  keptCredentials().filter((credentials) => credentials.appId !== appId)

const keepCredentials = (credentials: Credentials): void => {
  sessionStorage.removeItem(SIGNED_OUT)
  const kept = [...withoutApplication(credentials.appId), credentials]
  sessionStorage.setItem(KEPT_KEYS, JSON.stringify(kept))
}

/**
 * Those that the tab has kept or otherwise, unless the user has signed out, those that the page has filled in; undefined if the
 * user has to sign in. An address that names an application accepts only its credentials.
 */
const automaticCredentials = (
  { appId, apiKey }: Partial<Credentials>,
  wantedAppId: string | undefined,
): Credentials | undefined => {
  const isWanted = (credentials: Credentials) =>
    wantedAppId === undefined || credentials.appId === wantedAppId
  const kept = keptCredentials().findLast(isWanted)
  if (kept) return kept
  if (!appId || !apiKey || sessionStorage.getItem(SIGNED_OUT)) return undefined
  return isWanted({ appId, apiKey }) ? { appId, apiKey } : undefined
}

/** Forgets this tab's credentials of an application, prevents automatic sign-in, and deletes the copy of the lists. */
export const forget = (application: CopiedApplication): Promise<void> => {
  sessionStorage.setItem(KEPT_KEYS, JSON.stringify(withoutApplication(application.appId)))
  sessionStorage.setItem(SIGNED_OUT, 'yes')
  return deleteCopy(application)
}

const apiAddress = (): string => location.origin + location.pathname.replace(/\/+console\/*$/, '')

/** Connects to the API: reads a product with the key, and the OpenAPI document. Rejects with the errors of the client. */
const connect = async (credentials: Credentials): Promise<Connection> => {
  const baseUrl = apiAddress()
  const api = createClient({ baseUrl, ...credentials }) as unknown as Connection['api']
  // Before the document, since the errors of the client explain best why the service cannot be reached.
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
  /** The application in the address; undefined if there is none. The page never shows another application instead. */
  readonly wantedAppId: string | undefined
  /** Another application that this tab can open; undefined if there is none. */
  readonly otherAppId: string | undefined
  readonly reason: unknown
  readonly onSignedIn: (connection: Connection) => void
}

/** Asks for an application's credentials, which stay in memory or, if asked, with the tab. */
export const SignIn = ({ filledIn, wantedAppId, otherAppId, reason, onSignedIn }: SignInProps) => {
  const [error, setError] = useState(reason)
  const [automatic] = useState(() =>
    reason === undefined ? automaticCredentials(filledIn, wantedAppId) : undefined,
  )
  const [isSigningIn, setIsSigningIn] = useState(automatic !== undefined)
  const enter = async (credentials: Credentials, keep: boolean) => {
    setError(undefined)
    try {
      const connection = await connect(credentials)
      if (keep) keepCredentials(credentials)
      onSignedIn(connection)
    } catch (thrown) {
      setError(thrown)
      if (thrown instanceof BillingApiError && thrown.status === 401)
        await forget({ ...credentials, baseUrl: apiAddress() })
    }
  }
  useEffect(() => {
    if (automatic) enter(automatic, true).finally(() => setIsSigningIn(false))
  }, [])
  const send = (data: FormData) =>
    enter({ appId: trimmedText(data, 'app_id'), apiKey: trimmedText(data, 'api_key') }, data.has('keep'))
  const filledInKey =
    wantedAppId === undefined || wantedAppId === filledIn.appId ? filledIn.apiKey : undefined
  if (isSigningIn)
    return (
      <main class="sign-in">
        <p role="status">Signing in …</p>
      </main>
    )
  return (
    <main class="sign-in">
      <Form class="card" action="Sign in" send={send}>
        <Heading name="Sign in" />
        {wantedAppId && (
          <p>
            This address belongs to the application <code>{wantedAppId}</code>. Sign in with a key of this
            application to see the page.{' '}
            {otherAppId && otherAppId !== wantedAppId && (
              <a href={linkTo([], { currency: '', months: '', by: '', app: otherAppId })}>
                To the application that this page can open
              </a>
            )}
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
            value={wantedAppId ?? filledIn.appId}
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
