import { useLayoutEffect, useMemo } from 'preact/hooks'
import { type Address, addressFrom, linkTo } from './address.ts'
import { Chips } from './chips.tsx'
import { useAnswer, useCopy } from './copied.tsx'
import { type Column, columns, type Listed } from './copy/columns.ts'
import { type ListPage, PAGE_ROWS } from './copy/lists.ts'
import { CsvButton } from './download.tsx'
import { EntityForm } from './form.tsx'
import { Heading } from './heading.tsx'
import { Problem } from './requests.tsx'
import { RowsTable } from './rows-table.tsx'
import { positionOfView } from './scroll-position.ts'
import { useSession } from './session.ts'
import { counted, monthText, number, words } from './text/format.ts'
import { changeWords } from './text/movements.ts'
import './list-view.css'

interface ListProps {
  readonly list: Listed
  readonly query: Address['query']
}

/** Choices of a list by the parameter of its address; an empty one is the absence of a choice. */
const kinds: Readonly<Record<Listed, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  customers: {},
  invoices: {
    kind: { '': 'All', credits: 'Credits' },
    within: { week: 'This week', month: 'This month', '': 'Any time' },
  },
  subscriptions: { kind: { '': 'All', active: 'Active', ended: 'Ended' } },
}

const labels: Readonly<Record<string, string>> = { kind: 'Which', within: 'When', currency: 'Currency' }

/** The filters of a list, all in its address. */
const Filters = ({ list, query, page }: ListProps & { readonly page: ListPage }) => {
  const to = (chosen: Address['query']) => linkTo([list], { ...query, page: '', ...chosen })
  const any = list === 'customers' ? {} : { '': 'Any currency' }
  const currencies = { ...any, ...Object.fromEntries(page.currencies.map((each) => [each, each])) }
  const groups = { ...kinds[list], ...(page.currencies.length > 1 ? { currency: currencies } : {}) }
  return (
    <div class="chips">
      <input
        type="search"
        aria-label="Filter"
        placeholder="Filter …"
        // The address is of the last key already, of which "query" may not be: nothing that was typed is taken away.
        value={addressFrom(location.hash).query.text ?? ''}
        onInput={({ currentTarget }) => location.replace(to({ text: currentTarget.value }))}
      />
      {Object.entries(groups).map(([name, choices]) => (
        <Chips
          key={name}
          label={labels[name]!}
          choices={Object.entries(choices).map(([value, text]) => ({
            text,
            link: to({ [name]: value }),
            chosen: value === (name === 'currency' ? page.currency : (query[name] ?? '')),
          }))}
        />
      ))}
      {query.moved && (
        <Chips
          label="Movement"
          choices={[
            {
              text: `${words(changeWords(query.moved, page.isRunning))}, ${monthText(page.month)} ✕`,
              link: to({ moved: '', month: '' }),
              chosen: true,
            },
          ]}
        />
      )}
    </div>
  )
}

/** The rows of a page, which are rendered once for each answer, not for each key that is typed until the next. */
const Rows = ({ list, query, page }: ListProps & { readonly page: ListPage }) =>
  useMemo(
    () =>
      page.count > 0 ? (
        <RowsTable
          label={words(list)}
          columns={columns[list] as readonly Column[]}
          rows={page.rows}
          sort={page.sort}
          sortBy={(sort) => linkTo([list], { ...query, sort, page: '' })}
        />
      ) : (
        <p class="empty">None.</p>
      ),
    [page],
  )

/** Which of the rows a page has, on paper, which has no other. */
const Printed = ({ page: { page, pages, rows, count } }: { readonly page: ListPage }) => {
  if (pages === 1) return null
  const before = (page - 1) * PAGE_ROWS
  return (
    <p class="printed">{`Rows ${number(before + 1)}–${number(before + rows.length)} of ${number(count)}`}</p>
  )
}

const Pages = ({ list, query, page: { page, pages } }: ListProps & { readonly page: ListPage }) => {
  if (pages === 1) return null
  const to = (number: number) => linkTo([list], { ...query, page: String(number) })
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={to(page - 1)}>← Previous</a>}
      <span>{`Page ${page} of ${pages}`}</span>
      {page < pages && <a href={to(page + 1)}>Next →</a>}
    </nav>
  )
}

/** A form that creates a customer, which a program usually does. */
const Creation = () => {
  const { resources, mayChange } = useSession()
  const { save } = useCopy()
  const resource = resources.find(({ plural }) => plural === 'customers')!
  if (!mayChange) return null
  return (
    <details>
      <summary>Create</summary>
      <EntityForm
        resource={resource}
        saved={async (entity) => {
          await save('customers', entity)
          location.hash = linkTo(['customers', entity.id])
        }}
      />
    </details>
  )
}

/** A list from the copy: sorted by any column, filtered, counted, a hundred at a time. */
export const CopiedList = ({ list, query }: ListProps) => {
  const { ask } = useCopy()
  const asking = { ...query, list }
  const { answer: page, pending, error } = useAnswer('list', asking)
  // Another page of the list begins at its top, or where it was left.
  useLayoutEffect(() => scrollTo(0, positionOfView()), [page?.page])
  const title = words(list)
  const nouns = { customers: 'customer', invoices: 'invoice', subscriptions: 'subscription' }
  return (
    <main>
      <header class="title">
        <Heading name={title} />
        {page && <Filters list={list} query={query} page={page} />}
      </header>
      {error !== undefined && <Problem error={error} />}
      {page && (
        <div aria-busy={pending}>
          <Printed page={page} />
          <div class="counted">
            <p role="status">{pending ? 'Counting …' : counted(page.count, nouns[list])}</p>
            <CsvButton name={title} text={() => ask('csv', asking)} />
          </div>
          <Rows list={list} query={query} page={page} />
          <Pages list={list} query={query} page={page} />
          {list === 'customers' && <Creation />}
        </div>
      )}
    </main>
  )
}
