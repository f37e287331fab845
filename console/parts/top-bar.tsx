import { linkTo } from '../frame/address.ts'
import { stageOf, useSession } from '../frame/session.ts'
import { plainName } from '../text/format.ts'
import { Menu } from './menu.tsx'
import { SearchBox } from './search-box.tsx'
import './top-bar.css'

const main = ['', 'finance', 'customers', 'invoices', 'subscriptions']

interface LinksProps {
  readonly names: readonly string[]
  readonly current: string
}

const Links = ({ names, current }: LinksProps) => (
  <>
    {names.map((name) => (
      <a key={name} href={linkTo([name])} aria-current={current === name ? 'page' : undefined}>
        {plainName(name || 'overview')}
      </a>
    ))}
  </>
)

/** The application and its stage, links to every list, the search and the sign-out. */
export const TopBar = ({ current }: { readonly current: string }) => {
  const { resources, appId, applicationName, baseUrl, docsUrl, signOut } = useSession()
  const stage = stageOf(baseUrl)
  const catalogue = resources.map(({ plural }) => plural).filter((plural) => !main.includes(plural))
  const hereIfIn = (names: readonly string[]) => (names.includes(current) ? 'here' : '')
  // In the bar where it is wide enough, otherwise in the menu.
  const docs = docsUrl && (
    <a class="docs" href={docsUrl}>
      Documentation
    </a>
  )
  return (
    <header class="top-bar">
      <a class="whose" href={linkTo([])} title={`${appId} at ${baseUrl}`}>
        <span aria-hidden="true">▣</span> <bdi>{applicationName}</bdi>
        {stage && <small>{stage}</small>}
      </a>
      <nav aria-label="Views" class="wide">
        <Links names={main} current={current} />
        <Menu title="Catalogue" class={hereIfIn(catalogue)}>
          <Links names={catalogue} current={current} />
          {docs}
        </Menu>
      </nav>
      <nav aria-label="All views" class="narrow">
        <Menu title="Menu" class={hereIfIn([...main, ...catalogue])}>
          <p class="quiet">
            <bdi>{applicationName}</bdi> {stage}
          </p>
          <Links names={[...main, ...catalogue]} current={current} />
          {docs}
        </Menu>
      </nav>
      <SearchBox />
      {docs}
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  )
}
