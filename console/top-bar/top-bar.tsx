import { linkTo } from '../frame/address.ts'
import { stageOf, useSession } from '../frame/session.ts'
import { Popover } from '../parts/popover.tsx'
import { plainName } from '../text/format.ts'
import { SearchBox } from './search-box.tsx'
import { TimeZoneChoice } from './time-zone-choice.tsx'
import './top-bar.css'

/** The first path segment of each view in the order of the bar. The overview has none. */
const orderOfViews = ['', 'finance', 'customers', 'invoices', 'subscriptions', 'products', 'discounts']

const ViewLinks = ({ views, current }: { readonly views: readonly string[]; readonly current: string }) => (
  <>
    {views.map((view) => (
      <a key={view} href={linkTo([view])} aria-current={current === view ? 'page' : undefined}>
        {plainName(view || 'overview')}
      </a>
    ))}
  </>
)

/** The bar at the top of every page. `current` is the first segment of the path. */
export const TopBar = ({ current }: { readonly current: string }) => {
  const { resources, appId, applicationName, baseUrl, docsUrl, signOut } = useSession()
  const stage = stageOf(baseUrl)
  const plurals = resources.map(({ plural }) => plural)
  // Prices are on the pages of their products.
  const views = [...new Set([...orderOfViews, ...plurals])].filter((view) => view !== 'prices')
  return (
    <header class="top-bar">
      <Popover
        kind="menu"
        buttonClass="application drop"
        title={
          <>
            <span aria-hidden="true">▣</span>
            <bdi>{applicationName}</bdi>
            {stage && <small>{stage}</small>}
          </>
        }
      >
        <p>{`${appId} at ${baseUrl}`}</p>
        <nav aria-label="All views">
          <ViewLinks views={views} current={current} />
        </nav>
        <TimeZoneChoice />
        {docsUrl && <a href={docsUrl}>Documentation</a>}
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </Popover>
      <nav aria-label="Views">
        <ViewLinks views={views} current={current} />
      </nav>
      <SearchBox />
    </header>
  )
}
