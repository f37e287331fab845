import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from './problem.tsx'
import { type Credentials, keepCredentials, type Session, signIn } from './session.tsx'
import './sign-in.css'

interface SignInProps {
  /** What to fill in. */
  readonly filledIn: Credentials | undefined
  /** Credentials to sign in with at once. */
  readonly kept: Credentials | undefined
  /** Why the last session ended. */
  readonly reason: unknown
  readonly signedIn: (session: Session) => void
}

/** Asks for an application's credentials, which stay in memory or, if asked, with the tab. */
export const SignIn = ({ filledIn, kept, reason, signedIn }: SignInProps) => {
  const [error, setError] = useState(reason)
  const [busy, setBusy] = useState(kept !== undefined)
  const enter = (credentials: Credentials, keep: boolean) => {
    setBusy(true)
    setError(undefined)
    const succeeded = (session: Session) => {
      if (keep) keepCredentials(credentials)
      signedIn(session)
    }
    const failed = (thrown: unknown) => {
      setBusy(false)
      setError(thrown)
    }
    signIn(credentials).then(succeeded, failed)
  }
  useEffect(() => {
    if (kept) enter(kept, true)
  }, [])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name) ?? '').trim()
    enter({ appId: textOf('app_id'), apiKey: textOf('api_key') }, form.has('keep'))
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Billing console</h1>
        <p class="quiet">Look at what an application recorded, with its API key.</p>
        <label>
          Application id
          <input name="app_id" required autocomplete="off" spellcheck={false} value={filledIn?.appId} />
        </label>
        <label>
          API key
          <input name="api_key" type="password" required autocomplete="off" value={filledIn?.apiKey} />
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
