import type { ComponentChildren } from 'preact'
import { linkTo } from '../frame/address.ts'
import { stageOf, useSession } from '../frame/session.ts'
import { words } from '../text/format.ts'
import { SearchBox } from './search-box.tsx'
import './top-bar.css'

const main = ['', 'finance', 'customers', 'invoices', 'subscriptions']

interface LinksProps {
  readonly names: readonly string[]
  readonly current: string
}

interface MenuProps extends LinksProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** Closes a menu once something in it was chosen, or the focus leaves it. */
const close = (menu: HTMLDetailsElement) => {
  menu.open = false
}

const Menu = ({ title, names, current, children }: MenuProps) => (
  <details
    class="menu"
    onClick={({ target, currentTarget }) => {
      if ((target as Element).closest('a')) close(currentTarget)
    }}
    onFocusOut={({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) close(currentTarget)
    }}
    onKeyDown={({ key, currentTarget }) => {
      if (key === 'Escape') close(currentTarget)
    }}
  >
    <summary class={names.includes(current) ? 'here' : ''}>{title}</summary>
    <div class="card">
      {children}
      <Links names={names} current={current} />
    </div>
  </details>
)

const Links = ({ names, current }: LinksProps) => (
  <>
    {names.map((name) => (
      <a key={name} href={linkTo([name])} aria-current={current === name ? 'page' : undefined}>
        {words(name || 'overview')}
      </a>
    ))}
  </>
)

/** The application and its stage, links to every list, the search and the sign-out. */
export const TopBar = ({ current }: { readonly current: string }) => {
  const { resources, appId, baseUrl, signOut } = useSession()
  const stage = stageOf(baseUrl)
  const catalogue = resources.map(({ plural }) => plural).filter((plural) => !main.includes(plural))
  return (
    <header class="top-bar">
      <a class="whose" href={linkTo([])} title={`${appId} at ${baseUrl}`}>
        <span aria-hidden="true">▣</span> <bdi>{appId}</bdi>
        {stage && <small>{stage}</small>}
      </a>
      <nav aria-label="Views" class="wide">
        <Links names={main} current={current} />
        <Menu title="Catalogue" names={catalogue} current={current} />
      </nav>
      <nav aria-label="All views" class="narrow">
        <Menu title="Menu" names={[...main, ...catalogue]} current={current}>
          <p class="quiet">
            <bdi>{appId}</bdi> {stage}
          </p>
        </Menu>
      </nav>
      <SearchBox />
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  )
}
