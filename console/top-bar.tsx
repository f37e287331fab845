import type { TargetedSubmitEvent } from 'preact'
import { linkTo } from './address.ts'
import { words } from './format.ts'
import { goTo } from './navigation.ts'
import { useSession } from './session.tsx'
import './top-bar.css'

interface TopBarProps {
  /** The first segment of the address. */
  readonly here: string
  readonly signOut: () => void
  /** Whether the user allows changes, and what turns that on and off. */
  readonly changes: boolean
  readonly allow: (changes: boolean) => void
}

/** The ways to every list, the box to look up an id, and the sign-out. */
export const TopBar = ({ here, signOut, changes, allow }: TopBarProps) => {
  const { resources, appId } = useSession()
  const find = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget).get('id')).trim()
    if (id) goTo(linkTo(['find'], { id }))
  }
  return (
    <header class="top-bar">
      <nav aria-label="Lists">
        <a href={linkTo([])} aria-current={here === '' ? 'page' : undefined}>
          Analytics
        </a>
        {resources.map(({ plural }) => (
          <a key={plural} href={linkTo([plural])} aria-current={here === plural ? 'page' : undefined}>
            {words(plural)}
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
        <input type="checkbox" checked={changes} onChange={(event) => allow(event.currentTarget.checked)} />
        Allow changes
      </label>
      <button type="button" class="plain" onClick={signOut} title={`Signed in as ${appId}`}>
        Sign out
      </button>
    </header>
  )
}
