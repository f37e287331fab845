import { linkTo } from './address.ts'
import { SearchBox } from './search-box.tsx'
import { useSession } from './session.ts'
import { words } from './text/format.ts'
import './top-bar.css'

const main = ['', 'customers', 'invoices', 'subscriptions']

/** Closes a menu once something in it was chosen, or the focus leaves it. */
const close = (menu: HTMLDetailsElement) => {
  menu.open = false
}

const Menu = ({ title, names, place }: { title: string; names: readonly string[]; place: string }) => (
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
    <summary class={names.includes(place) ? 'here' : ''}>{title}</summary>
    <div class="card">
      <Links names={names} place={place} />
    </div>
  </details>
)

const Links = ({ names, place }: { readonly names: readonly string[]; readonly place: string }) => (
  <>
    {names.map((name) => (
      <a key={name} href={linkTo([name])} aria-current={place === name ? 'page' : undefined}>
        {words(name || 'overview')}
      </a>
    ))}
  </>
)

/** The name of the stage, which is the last part of the API's address on a deployment. */
const stageOf = (baseUrl: string): string => new URL(baseUrl).pathname.split('/').at(-1) ?? ''

/** Whose data these are, the ways to every list, the search and the sign-out. */
export const TopBar = ({ place }: { readonly place: string }) => {
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
        <Links names={main} place={place} />
        <Menu title="Catalogue" names={catalogue} place={place} />
      </nav>
      <nav aria-label="All views" class="narrow">
        <Menu title="Menu" names={[...main, ...catalogue]} place={place} />
      </nav>
      <SearchBox />
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  )
}
