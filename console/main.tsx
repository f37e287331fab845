import { deleteDB } from 'idb'
import { render, type TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addressFrom, linkTo } from './address.ts'
import { AnalyticsView } from './analytics-view.tsx'
import { FindView } from './find-view.tsx'
import { words } from './format.ts'
import { ListView } from './list-view.tsx'
import { copyName } from './local-copy.ts'
import { RecordView } from './record-view.tsx'
import { type Connection, SessionContext, useSession } from './session.ts'
import { forgetCredentials, SignIn } from './sign-in.tsx'
import './main.css'

/** The current address, which follows the browser's back and forward. */
const useAddress = () => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => {
      setHash(location.hash)
      scrollTo(0, 0)
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return addressFrom(hash)
}

interface TopBarProps {
  /** The first segment of the address. */
  readonly place: string
  /** Turns changes on and off. */
  readonly allow: (changes: boolean) => void
}

/** The ways to every list, the box to look up an id, and the sign-out. */
const TopBar = ({ place, allow }: TopBarProps) => {
  const { resources, appId, mayChange, signOut } = useSession()
  const find = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget).get('id')).trim()
    if (id) location.hash = linkTo(['find'], { id })
  }
  return (
    <header class="top-bar">
      <nav aria-label="Views">
        {['', ...resources.map(({ plural }) => plural)].map((name) => (
          <a key={name} href={linkTo([name])} aria-current={place === name ? 'page' : undefined}>
            {words(name || 'analytics')}
          </a>
        ))}
      </nav>
      <search>
        <form onSubmit={find}>
          <input name="id" type="search" aria-label="Look up an id" placeholder="Any id, yours or ours" />
          <button type="submit">Look up</button>
        </form>
      </search>
      <label class="check">
        <input type="checkbox" checked={mayChange} onChange={(event) => allow(event.currentTarget.checked)} />
        Allow changes
      </label>
      <button type="button" class="plain" onClick={() => signOut()} title={`Signed in as ${appId}`}>
        Sign out
      </button>
    </header>
  )
}

/** What the address names. */
const View = ({ path, query }: ReturnType<typeof addressFrom>) => {
  const { resources } = useSession()
  const [place = '', id] = path
  if (place === 'find') return <FindView id={query.id ?? ''} />
  const resource = resources.find(({ plural }) => plural === place)
  if (!resource) return <AnalyticsView />
  if (id === undefined) return <ListView resource={resource} query={query} />
  return <RecordView key={`${place}/${id}`} resource={resource} id={id} />
}

const place = document.getElementById('app')!

/** The whole console. */
const App = () => {
  const [connection, setConnection] = useState<Connection>()
  const [reason, setReason] = useState<unknown>()
  const [mayChange, setMayChange] = useState(false)
  const address = useAddress()
  if (!connection) return <SignIn filledIn={place.dataset} reason={reason} signedIn={setConnection} />
  const signOut = (why?: unknown) => {
    forgetCredentials()
    deleteDB(copyName(connection)).catch(setReason)
    setReason(why)
    setConnection(undefined)
    setMayChange(false)
  }
  return (
    <SessionContext.Provider value={{ ...connection, mayChange, signOut }}>
      <TopBar place={address.path[0] ?? ''} allow={setMayChange} />
      <View {...address} />
    </SessionContext.Provider>
  )
}

render(<App />, place)
