import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { columns, type ListName } from './copy/columns.ts'
import { serveCopy } from './copy/thread.ts'
import { type Address, addressFrom, linkTo } from './frame/address.ts'
import { CopyProvider, useCopy, useIsComplete } from './frame/copied.tsx'
import { watchScrolling } from './frame/scroll-position.ts'
import { type Connection, SessionContext, useSession } from './frame/session.ts'
import { Heading } from './parts/heading.tsx'
import { TopBar } from './parts/top-bar.tsx'
import { CopiedList } from './views/copied-list.tsx'
import { CustomerView } from './views/customer-view.tsx'
import { FinanceView } from './views/finance-view.tsx'
import { FindView } from './views/find-view.tsx'
import { ListView } from './views/list-view.tsx'
import { OverviewView } from './views/overview-view.tsx'
import { RecordView } from './views/record-view.tsx'
import { forget, SignIn } from './views/sign-in.tsx'
import './main.css'

const isListName = (name: string): name is ListName => Object.hasOwn(columns, name)

/** The parameters of a list that the service knows; the others are of the list from the copy. */
const served = ['limit', 'cursor', 'include', 'changed_since', 'customer_id']
const servedQuery = (query: Address['query']): Address['query'] =>
  Object.fromEntries(Object.entries(query).filter(([name]) => served.includes(name)))

/** The view that the address names. What the copy has is shown from it as soon as it is complete. */
const View = ({ path, query }: Address) => {
  const { resources } = useSession()
  const isComplete = useIsComplete()
  const { extent, error } = useCopy()
  const [name = '', id] = path
  if (name === 'find') return <FindView id={query.id ?? ''} />
  const resource = resources.find(({ plural }) => plural === name)
  if (name === '') return <OverviewView query={query} />
  if (name === 'finance') return <FinanceView query={query} />
  if (!resource)
    return (
      <main>
        <Heading name="There is no such page" />
        <a href={linkTo([])}>To the overview</a>
      </main>
    )
  const isCopied = id === undefined ? isListName(name) : name === 'customers'
  // Whether the copy in this browser is complete is known once it is open: not the service's list until then.
  if (isCopied && !extent && error === undefined)
    return (
      <main>
        <p role="status">Loading …</p>
      </main>
    )
  if (id !== undefined) {
    const Shown = isCopied && isComplete ? CustomerView : RecordView
    return <Shown resource={resource} id={id} />
  }
  // The list from the copy does not support these parameters.
  const isPart = Boolean(query.customer_id || query.changed_since)
  if (isCopied && isComplete && !isPart) return <CopiedList resource={resource} query={query} />
  const shown = isCopied ? servedQuery(query) : query
  return <ListView key={linkTo(path, shown)} resource={resource} query={shown} />
}

/** The view's key: what is chosen in a view of the copy does not begin it again. */
const keyOf = ({ path, query }: Address): string => {
  const [name = '', id] = path
  const isOfCopy = id === undefined && (name === '' || name === 'finance' || isListName(name))
  return isOfCopy ? linkTo(path) : linkTo(path, query)
}

const useSharedSignOut = (connection: Connection | undefined, signOut: () => void) => {
  useEffect(() => {
    if (!connection) return undefined
    const tabs = new BroadcastChannel(`signed out of ${connection.baseUrl} ${connection.appId}`)
    tabs.onmessage = () => signOut()
    return () => tabs.close()
  }, [connection])
}

const tellSignOut = ({ baseUrl, appId }: Connection): void => {
  const tabs = new BroadcastChannel(`signed out of ${baseUrl} ${appId}`)
  tabs.postMessage('')
  tabs.close()
}

const App = ({ filledIn }: { readonly filledIn: DOMStringMap }) => {
  const [hash, setHash] = useState(location.hash)
  const [connection, setConnection] = useState<Connection>()
  const [reason, setReason] = useState<unknown>()
  useEffect(() => addEventListener('hashchange', () => setHash(location.hash)), [])
  const end = (why?: unknown) => {
    forget(connection!).catch(setReason)
    setReason(why)
    setConnection(undefined)
  }
  useSharedSignOut(connection, end)
  if (!connection) return <SignIn filledIn={filledIn} reason={reason} signedIn={setConnection} />
  const address = addressFrom(hash)
  const signOut = (why?: unknown) => {
    tellSignOut(connection)
    end(why)
  }
  return (
    <SessionContext.Provider value={{ ...connection, signOut }}>
      <CopyProvider>
        <TopBar current={address.path[0] ?? ''} />
        <View key={keyOf(address)} {...address} />
      </CopyProvider>
    </SessionContext.Provider>
  )
}

// The copy's thread runs this script too: the page has one file, and the code of both is there once.
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
