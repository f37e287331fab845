import { linkTo } from '../frame/address.ts'
import { stageOf, useSession } from '../frame/session.ts'
import { Menu } from '../parts/menu.tsx'
import { plainName } from '../text/format.ts'
import { SearchBox } from './search-box.tsx'
import { TimeZoneChoice, TimeZoneMenu } from './time-zone-menu.tsx'
import './top-bar.css'

/** The first path segment of each main view. The overview has none. */
const mainViews = ['', 'finance', 'customers', 'invoices', 'subscriptions']

interface ViewLinksProps {
  readonly views: readonly string[]
  readonly current: string
}

const ViewLinks = ({ views, current }: ViewLinksProps) => (
  <>
    {views.map((view) => (
      <a key={view} href={linkTo([view])} aria-current={current === view ? 'page' : undefined}>
        {plainName(view || 'overview')}
      </a>
    ))}
  </>
)

/**
 * The bar at the top of every page: the application and its stage, links to all views, the search, the time zone and the sign-out.
 * `current` is the first segment of the current path.
 */
export const TopBar = ({ current }: { readonly current: string }) => {
  const { resources, appId, applicationName, baseUrl, docsUrl, signOut } = useSession()
  const stage = stageOf(baseUrl)
  const catalogueViews = resources.map(({ plural }) => plural).filter((plural) => !mainViews.includes(plural))
  const allViews = [...mainViews, ...catalogueViews]
  const menuClass = (views: readonly string[]) => (views.includes(current) ? 'current' : '')
  // On a wide screen the link in the bar is visible, otherwise the links in the menus.
  const docsLink = docsUrl && (
    <a class="docs" href={docsUrl}>
      Documentation
    </a>
  )
  return (
    <header class="top-bar">
      <a class="application" href={linkTo([])} title={`${appId} at ${baseUrl}`}>
        <span aria-hidden="true">▣</span> <bdi>{applicationName}</bdi>
        {stage && <small>{stage}</small>}
      </a>
      <nav aria-label="Views" class="wide">
        <ViewLinks views={mainViews} current={current} />
        <Menu title="Catalogue" titleClass={menuClass(catalogueViews)}>
          <ViewLinks views={catalogueViews} current={current} />
          {docsLink}
        </Menu>
      </nav>
      <nav aria-label="All views" class="narrow">
        <Menu title="Menu" titleClass={menuClass(allViews)}>
          <p class="quiet">
            <bdi>{applicationName}</bdi> {stage}
          </p>
          <ViewLinks views={allViews} current={current} />
          {docsLink}
          <TimeZoneChoice />
        </Menu>
      </nav>
      <SearchBox />
      {docsLink}
      <TimeZoneMenu />
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  )
}
