import type { TargetedSubmitEvent } from 'preact'
import { type Address, linkTo } from './address.ts'
import type { Resource } from './contract.ts'
import { words } from './format.ts'
import { goTo } from './navigation.ts'
import './list-controls.css'

interface ListControlsProps {
  readonly resource: Resource
  readonly query: Address['query']
  /** The names of what is embedded, separated by commas. */
  readonly include: string
}

/** The filters of a list, what it embeds, and how many entities a page holds. */
export const ListControls = ({ resource, query, include }: ListControlsProps) => {
  const { plural, filter, listIncludes, hasChangedSince } = resource
  const embedded = include.split(',')
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name) ?? '').trim()
    goTo(
      linkTo([plural], {
        ...(filter ? { [filter]: textOf(filter) } : {}),
        changed_since: textOf('changed_since'),
        limit: textOf('limit'),
        include: form.getAll('include').join(',') || 'none',
      }),
    )
  }
  return (
    <form class="controls" onSubmit={submit} key={JSON.stringify(query)} aria-label="Filters">
      {filter && (
        <label>
          {words(filter)}
          <input name={filter} value={query[filter]} placeholder="either id" spellcheck={false} />
        </label>
      )}
      {hasChangedSince && (
        <label>
          Changed since
          <input name="changed_since" value={query.changed_since} placeholder="2026-01-31" />
        </label>
      )}
      <label>
        On a page
        <select name="limit" value={query.limit ?? '20'}>
          {[20, 50, 100].map((limit) => (
            <option key={limit}>{limit}</option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend>With</legend>
        {listIncludes.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="include" value={name} checked={embedded.includes(name)} />
            {words(name)}
          </label>
        ))}
      </fieldset>
      <button type="submit">Apply</button>
    </form>
  )
}
