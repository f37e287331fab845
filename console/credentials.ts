/** An application's id and API key. */
export interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

const KEPT = 'billing-console'
const SIGNED_OUT = 'billing-console-signed-out'

/** Keeps credentials until the tab is closed. */
export const keepCredentials = (credentials: Credentials): void => {
  sessionStorage.removeItem(SIGNED_OUT)
  sessionStorage.setItem(KEPT, JSON.stringify(credentials))
}

/** Forgets credentials, and that the page may sign in by itself. */
export const forgetCredentials = (): void => {
  sessionStorage.removeItem(KEPT)
  sessionStorage.setItem(SIGNED_OUT, 'yes')
}

/**
 * Returns the credentials to sign in with at once: those that the tab has kept, or else those that the page has filled in,
 * unless somebody has just signed out.
 */
export const usualCredentials = ({ appId, apiKey }: Partial<Credentials>): Credentials | undefined => {
  const kept = sessionStorage.getItem(KEPT)
  if (kept) return JSON.parse(kept) as Credentials
  return appId && apiKey && !sessionStorage.getItem(SIGNED_OUT) ? { appId, apiKey } : undefined
}
