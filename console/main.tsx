import { render, type VNode } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { serveCopy } from './copy/thread.ts'
import { type Address, addressFrom, linkTo, pathWithQuery } from './frame/address.ts'
import type { Resource } from './frame/contract.ts'
import { CopyProvider, useCopy, useIsComplete } from './frame/copy-context.tsx'
import { faultOfAddress } from './frame/parameters.ts'
import { watchScrolling } from './frame/scroll-position.ts'
import { type Connection, SessionContext, useSession } from './frame/session.ts'
import { rememberedTimeZone, TimeZoneContext, timeZoneOf, zoneParameter } from './frame/time-zone.ts'
import { isListName } from './lists/columns.ts'
import { Heading } from './parts/heading.tsx'
import { TimeZoneOffer } from './top-bar/time-zone-choice.tsx'
import { TopBar } from './top-bar/top-bar.tsx'
import { FinanceView } from './views/figures/finance-view.tsx'
import { OverviewView } from './views/figures/overview-view.tsx'
import type { CatalogueProps } from './views/lists/catalogue.tsx'
import { CopiedListView } from './views/lists/copied-list-view.tsx'
import { DiscountsView } from './views/lists/discounts-view.tsx'
import { ListView } from './views/lists/list-view.tsx'
import { ProductsView } from './views/lists/products-view.tsx'
import { CustomerView } from './views/records/customer-view.tsx'
import { DiscountView } from './views/records/discount-view.tsx'
import { FindView } from './views/records/find-view.tsx'
import { InvoiceView } from './views/records/invoice-view.tsx'
import { ProductView } from './views/records/product-view.tsx'
import { RecordView } from './views/records/record-view.tsx'
import { StatementView } from './views/records/statement-view.tsx'
import { SubscriptionView } from './views/records/subscription-view.tsx'
import { forget, SignIn } from './views/sign-in.tsx'
import './tokens.css'
import './main.css'
import './print.css'

/** Returns the parameters of a list's request. The other parameters belong to the list from the copy. */
const servedQuery = ({ filter = '' }: Resource, query: Address['query']): Address['query'] => {
  const names = ['limit', 'cursor', 'include', 'changed_since', filter]
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}

const NoSuchPage = () => (
  <main>
    <Heading name="There is no such page" />
    <a href={linkTo([])}>To the overview</a>
  </main>
)

const WrongAddress = ({ path, fault }: { readonly path: readonly string[]; readonly fault: string }) => (
  <main>
    <Heading name="This address is wrong" />
    <p role="alert">{fault}</p>
    <a href={linkTo(path, { currency: '', months: '', by: '', zone: '' })}>To the page without its choices</a>
  </main>
)

/** The views of the catalogue by their lists. They are made from the copy. */
const catalogueViews: Readonly<Record<string, (props: CatalogueProps) => VNode>> = {
  products: ProductsView,
  discounts: DiscountsView,
}

interface ResourceProps extends Address {
  readonly resource: Resource
}

/** The view of a list or a record. Lists and records of the copy are shown from it once it is complete. */
const ResourceView = ({ resource, path, query }: ResourceProps) => {
  const isComplete = useIsComplete()
  const { extent, error } = useCopy()
  const { plural } = resource
  const [, id, part] = path
  const isCopied = id === undefined ? isListName(plural) || plural in catalogueViews : plural === 'customers'
  // Until the copy in this browser is open, it is unknown whether it is complete. The service's list is not shown before then.
  if (isCopied && !extent && error === undefined)
    return (
      <main>
        <p role="status">Loading …</p>
      </main>
    )
  if (id !== undefined) {
    if (plural === 'customers' && isComplete)
      return part === 'statement' ? (
        <StatementView id={id} query={query} />
      ) : (
        <CustomerView resource={resource} id={id} />
      )
    if (plural === 'invoices') return <InvoiceView id={id} />
    if (plural === 'products') return <ProductView id={id} />
    if (plural === 'discounts') return <DiscountView id={id} />
    if (plural === 'subscriptions' && isComplete) return <SubscriptionView id={id} />
    return <RecordView resource={resource} id={id} />
  }
  const served = servedQuery(resource, query)
  // The list from the copy does not support these parameters.
  const hasServiceFilter = Boolean(query.customer_id || query.changed_since)
  if (isListName(plural) && isComplete && !hasServiceFilter)
    return <CopiedListView list={plural} resource={resource} query={query} />
  const CatalogueView = catalogueViews[plural]
  if (CatalogueView && isComplete && !hasServiceFilter)
    return <CatalogueView resource={resource} query={query} />
  return <ListView key={pathWithQuery(path, served)} resource={resource} query={served} />
}

/** Returns the name of the view in the bar to which an address belongs. Movements are a list of the page of customers. */
const viewOf = ({ path: [name = ''] }: Address): string => (name === 'movements' ? 'customers' : name)

const View = ({ path, query }: Address) => {
  const { resources } = useSession()
  const [name = ''] = path
  const resource = resources.find(({ plural }) => plural === name)
  const exists = ['', 'finance', 'find', 'movements'].includes(name) || resource !== undefined
  if (!exists) return <NoSuchPage />
  const fault = faultOfAddress({ path, query }, resource)
  if (fault) return <WrongAddress path={path} fault={fault} />
  if (name === 'find') return <FindView id={query.id ?? ''} />
  if (name === 'finance') return <FinanceView query={query} />
  if (name === 'movements') return <CopiedListView list={name} query={query} />
  return resource ? (
    <ResourceView resource={resource} path={path} query={query} />
  ) : (
    <OverviewView query={query} />
  )
}

/**
 * A view is mounted again when its key changes, so the key omits the parameters that do not change what the view reads from the
 * service. A view of the copy reads nothing from it.
 */
const keyOf = ({ path, query }: Address): string => {
  const [name = '', id] = path
  const isOfCopy = id === undefined && (name === '' || name === 'finance' || isListName(name))
  return isOfCopy ? pathWithQuery(path) : pathWithQuery(path, { ...query, zone: '', app: '' })
}

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
