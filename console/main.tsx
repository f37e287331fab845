import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Address, addressFrom, linkTo } from './address.ts'
import { AnalyticsView } from './analytics-view.tsx'
import { FindView } from './find-view.tsx'
import { words } from './format.ts'
import { Heading } from './heading.tsx'
import { ListView } from './list-view.tsx'
import { RecordView } from './record-view.tsx'
import { Form, typedIn } from './requests.tsx'
import { type Connection, SessionContext, useSession } from './session.ts'
import { forget, SignIn } from './sign-in.tsx'
import './main.css'

/** The ways to every list, the box to look up an id, and the sign-out. */
const TopBar = ({ place }: { readonly place: string }) => {
  const { resources, appId, mayChange, allowChanges, signOut } = useSession()
  const find = (typed: FormData) => {
    location.hash = linkTo(['find'], { id: typedIn(typed, 'id') })
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
        <Form class="find" action="Look up" send={find}>
          <input name="id" type="search" required aria-label="An id" placeholder="Any id, yours or ours" />
        </Form>
      </search>
      <label class="check">
        <input type="checkbox" checked={mayChange} onChange={() => allowChanges(!mayChange)} />
        Allow changes
      </label>
      <button type="button" onClick={() => signOut()} title={`Signed in as ${appId}`}>
        Sign out
      </button>
    </header>
  )
}

/** The view that the address names. */
const View = ({ path, query }: Address) => {
  const { resources } = useSession()
  const [place = '', id] = path
  if (place === 'find') return <FindView id={query.id ?? ''} />
  const resource = resources.find(({ plural }) => plural === place)
  if (place === '') return <AnalyticsView />
  if (!resource)
    return (
      <main>
        <Heading name="There is no such page" />
        <a href={linkTo([])}>To the analytics</a>
      </main>
    )
  if (id === undefined) return <ListView resource={resource} query={query} />
  return <RecordView resource={resource} id={id} />
}

const place = document.getElementById('app')!

/** The whole console, which follows the browser's back and forward. */
const App = () => {
  const [hash, setHash] = useState(location.hash)
  const [connection, setConnection] = useState<Connection>()
  const [reason, setReason] = useState<unknown>()
  const [mayChange, setMayChange] = useState(false)
  useEffect(() => addEventListener('hashchange', () => setHash(location.hash)), [])
  if (!connection) return <SignIn filledIn={place.dataset} reason={reason} signedIn={setConnection} />
  const address = addressFrom(hash)
  const signOut = (why?: unknown) => {
    forget(connection).catch(setReason)
    setReason(why)
    setConnection(undefined)
    setMayChange(false)
  }
  return (
    <SessionContext.Provider value={{ ...connection, mayChange, allowChanges: setMayChange, signOut }}>
      <TopBar place={address.path[0] ?? ''} />
      <View key={linkTo(address.path, address.query)} {...address} />
    </SessionContext.Provider>
  )
}

render(<App />, place)
