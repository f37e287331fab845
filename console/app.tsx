import { deleteDB } from 'idb'
import { useState } from 'preact/hooks'
import { AnalyticsView } from './analytics-view.tsx'
import { FindView } from './find-view.tsx'
import { ListView } from './list-view.tsx'
import { RefusedContext } from './loading.tsx'
import { useAddress } from './navigation.ts'
import { RecordView } from './record-view.tsx'
import {
  ChangesContext,
  type Credentials,
  copyName,
  forgetCredentials,
  keptCredentials,
  type Session,
  SessionContext,
  useSession,
} from './session.tsx'
import { SignIn } from './sign-in.tsx'
import { TopBar } from './top-bar.tsx'
import './app.css'

/** What the address names. */
const View = ({ path, query }: ReturnType<typeof useAddress>) => {
  const { resources } = useSession()
  const [place = '', id] = path
  if (place === '') return <AnalyticsView />
  const resource = resources.find(({ plural }) => plural === place) ?? resources[0]!
  if (place === 'find') return <FindView id={query.id ?? ''} />
  if (id === undefined) return <ListView resource={resource} query={query} />
  return <RecordView key={`${place}/${id}`} resource={resource} id={id} />
}

/** The whole console. `filledIn` is what the sign-in has filled in. */
export const App = ({ filledIn }: { readonly filledIn: Credentials | undefined }) => {
  const [session, setSession] = useState<Session>()
  const [reason, setReason] = useState<unknown>()
  const [changes, setChanges] = useState(false)
  const address = useAddress()
  const signOut = (why?: unknown) => {
    forgetCredentials()
    if (session) deleteDB(copyName(session)).catch(setReason)
    setReason(why)
    setSession(undefined)
    setChanges(false)
  }
  if (!session)
    return <SignIn filledIn={filledIn} kept={keptCredentials()} reason={reason} signedIn={setSession} />
  return (
    <SessionContext.Provider value={session}>
      <RefusedContext.Provider value={signOut}>
        <ChangesContext.Provider value={changes}>
          <TopBar
            here={address.path[0] ?? ''}
            signOut={() => signOut()}
            changes={changes}
            allow={setChanges}
          />
          <View {...address} />
        </ChangesContext.Provider>
      </RefusedContext.Provider>
    </SessionContext.Provider>
  )
}
