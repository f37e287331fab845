import { render } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { serveCopy } from './copy/thread.ts'
import { addressFrom, linkTo } from './frame/address.ts'
import { CopyProvider } from './frame/copy-context.tsx'
import { watchScrolling } from './frame/scroll-position.ts'
import { type Connection, SessionContext } from './frame/session.ts'
import { rememberedTimeZone, TimeZoneContext, timeZoneOf, zoneParameter } from './frame/time-zone.ts'
import { TimeZoneOffer } from './top-bar/time-zone-choice.tsx'
import { TopBar } from './top-bar/top-bar.tsx'
import { forget, SignIn } from './views/sign-in.tsx'
import { keyOf, View, viewOf } from './views/view.tsx'
import './tokens.css'
import './main.css'
import './print.css'

const useSharedSignOut = (connections: readonly Connection[], signOut: () => void) => {
  useEffect(() => {
    const channels = connections.map((connection) => new BroadcastChannel(signOutChannel(connection)))
    for (const channel of channels) channel.onmessage = () => signOut()
    return () => {
      for (const channel of channels) channel.close()
    }
  }, [connections])
}

const signOutChannel = ({ baseUrl, appId }: Connection): string => `signed out of ${baseUrl} ${appId}`

const reportSignOut = (connection: Connection): void => {
  const tabs = new BroadcastChannel(signOutChannel(connection))
  tabs.postMessage('')
  tabs.close()
}

const useAddress = () => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const onHashChange = () => {
      document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
      setHash(location.hash)
    }
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  const replace = (link: string) => {
    history.replaceState(history.state, '', link)
    setHash(link)
  }
  return { address: addressFrom(hash), replace }
}

interface AppProps {
  /** The application id and the API key that the server has put into the page, if it has any. */
  readonly filledIn: DOMStringMap
}

const App = ({ filledIn }: AppProps) => {
  const { address, replace } = useAddress()
  /** The applications that this tab is signed in to, the latest last. */
  const [connections, setConnections] = useState<readonly Connection[]>([])
  const [reason, setReason] = useState<unknown>()
  const wantedAppId = address.query.app
  const connection = connections.findLast(({ appId }) => wantedAppId === undefined || appId === wantedAppId)
  // A link to this page that somebody copies or opens in another tab leads to this application, in this time zone.
  useLayoutEffect(() => {
    if (!connection || wantedAppId) return
    const zone = zoneParameter(rememberedTimeZone())
    replace(linkTo(address.path, { zone, ...address.query, app: connection.appId }))
  }, [connection, wantedAppId])
  const endSession = (cause?: unknown) => {
    for (const signedIn of connections) forget(signedIn).catch(setReason)
    setReason(cause)
    setConnections([])
  }
  useSharedSignOut(connections, endSession)
  const onSignedIn = (signed: Connection) => {
    setReason(undefined)
    setConnections([...connections.filter(({ appId }) => appId !== signed.appId), signed])
    // The page of the address belongs to another application, so the overview is shown instead.
    if (wantedAppId !== undefined && wantedAppId !== signed.appId)
      location.hash = linkTo([], { currency: '', months: '', by: '', app: signed.appId })
  }
  if (!connection)
    return (
      <SignIn
        key={wantedAppId}
        filledIn={filledIn}
        wantedAppId={wantedAppId}
        reason={reason}
        otherAppId={connections.at(-1)?.appId ?? filledIn.appId}
        onSignedIn={onSignedIn}
      />
    )
  const signOut = (cause?: unknown) => {
    for (const signedIn of connections) reportSignOut(signedIn)
    endSession(cause)
  }
  return (
    <SessionContext.Provider value={{ ...connection, signOut }}>
      <TimeZoneContext.Provider value={timeZoneOf(address.query)}>
        <CopyProvider key={connection.appId}>
          <TopBar current={viewOf(address)} />
          <TimeZoneOffer />
          <View key={keyOf(address)} {...address} />
        </CopyProvider>
      </TimeZoneContext.Provider>
    </SessionContext.Provider>
  )
}

// The worker that holds the copy runs this script too, so the page needs one file and shared code is loaded once.
if ('document' in globalThis) {
  const root = document.getElementById('app')!
  watchScrolling()
  try {
    render(<App filledIn={root.dataset} />, root)
  } catch (error) {
    root.textContent = `The console needs site data, which this browser may block: ${(error as Error).message}`
  }
  // A browser may cache the page when it is left, and restore it after a sign-out in another tab.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
} else serveCopy()
