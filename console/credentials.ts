/** An application's id and API key. */
export interface Credentials {
  readonly appId: string
  readonly apiKey: string
}

/** A tab's storage. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const KEPT = 'billing-console'
const SIGNED_OUT = 'billing-console-signed-out'

/** Keeps credentials until the tab is closed. */
export const keepCredentials = (tab: TabStorage, credentials: Credentials): void => {
  tab.removeItem(SIGNED_OUT)
  tab.setItem(KEPT, JSON.stringify(credentials))
}

/** Forgets credentials, and that the page may sign in by itself. */
export const forgetCredentials = (tab: TabStorage): void => {
  tab.removeItem(KEPT)
  tab.setItem(SIGNED_OUT, 'yes')
}

/**
 * Returns the credentials to sign in with at once: those that the tab has kept, or else those that the page has filled in,
 * unless somebody has just signed out.
 */
export const usualCredentials = (
  tab: TabStorage,
  filledIn: Partial<Credentials>,
): Credentials | undefined => {
  const kept = tab.getItem(KEPT)
  if (kept) return JSON.parse(kept) as Credentials
  const { appId, apiKey } = filledIn
  return appId && apiKey && !tab.getItem(SIGNED_OUT) ? { appId, apiKey } : undefined
}

/** Whether a key only reads: the service refuses all else, so no form is shown. */
export const onlyReads = (apiKey: string): boolean => apiKey.startsWith('bdr_')
