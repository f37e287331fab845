import { useLayoutEffect, useMemo } from 'preact/hooks'
import { type Column, columns, type ListName } from '../copy/columns.ts'
import { type ListPage, PAGE_ROWS } from '../copy/lists.ts'
import { type Address, addressFrom, linkTo } from '../frame/address.ts'
import { useAnswer, useCopy } from '../frame/copied.tsx'
import { positionOfView } from '../frame/scroll-position.ts'
import { Chips, PrintedFilters } from '../parts/chips.tsx'
import { CsvButton } from '../parts/download.tsx'
import { Creation } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { Problem } from '../parts/requests.tsx'
import { RowsTable } from '../parts/rows-table.tsx'
import { changeWords, counted, monthText, number, words } from '../text/format.ts'
import type { ListViewProps } from './list-view.tsx'
import './list-view.css'

interface ListProps {
  readonly list: ListName
  readonly query: Address['query']
}

/** Choices of a list by the parameter of its address; an empty one is the absence of a choice. */
const kinds: Readonly<Record<ListName, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  customers: {},
  invoices: {
    kind: { '': 'All', credits: 'Credits' },
    within: { week: 'This week', month: 'This month', '': 'Any time' },
  },
  subscriptions: { kind: { '': 'All', active: 'Active', ended: 'Ended' } },
}

const labels: Readonly<Record<string, string>> = { kind: 'Which', within: 'When', currency: 'Currency' }

interface PageProps extends ListProps {
  readonly page: ListPage
}

/** Returns the choices of a list by the parameter of its address, and which of them is chosen. */
const choicesOf = ({ list, query, page: { currencies, currency } }: PageProps) => {
  const any = list === 'customers' ? {} : { '': 'Any currency' }
  const each = { ...any, ...Object.fromEntries(currencies.map((code) => [code, code])) }
  const { within = '' } = query
  const groups: (typeof kinds)[ListName] = {
    ...kinds[list],
    ...(/^\d{1,4}$/.test(within) && {
      within: { [within]: monthText(Number(within)), ...kinds[list].within },
    }),
    ...(currencies.length > 1 ? { currency: each } : {}),
  }
  return Object.entries(groups).map(([name, choices]) => ({
    name,
    choices,
    chosen: name === 'currency' ? currency : (query[name] ?? ''),
  }))
}

const movementOf = ({ query: { moved }, page: { isRunning, month } }: PageProps): string | undefined =>
  moved && `${words(changeWords(moved, isRunning))}, ${monthText(month)}`

const Filters = (props: PageProps) => {
  const { list, query } = props
  const to = (chosen: Address['query']) => linkTo([list], { ...query, page: '', ...chosen })
  const movement = movementOf(props)
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
      {choicesOf(props).map(({ name, ...each }) => (
        <Chips key={name} label={labels[name]!} {...each} to={(value) => to({ [name]: value })} />
      ))}
      {movement && (
        <Chips
          label="Movement"
          choices={{ '': `${movement} ✕` }}
          chosen=""
          to={() => to({ moved: '', month: '' })}
        />
      )}
    </div>
  )
}

/** The rows of a page, which are rendered once for each answer, not for each key that is typed until the next. */
const Rows = ({ list, page }: Omit<PageProps, 'query'>) =>
  useMemo(
    () =>
      page.count > 0 ? (
        <RowsTable
          label={words(list)}
          columns={columns[list] as readonly Column[]}
          rows={page.rows}
          sort={page.sort}
          sortBy={(sort) => linkTo([list], { ...addressFrom(location.hash).query, sort, page: '' })}
        />
      ) : (
        <p class="empty">None.</p>
      ),
    [page],
  )

/** Which of the rows a page has, on paper, which has no other, and what they are filtered by. */
const Printed = (props: PageProps) => {
  const { page, pages, rows, count } = props.page
  const { text, moved } = props.query
  const before = (page - 1) * PAGE_ROWS
  // In the list of customers, the currency chooses amounts and excludes nobody, unless the list is of changes.
  const choices = choicesOf(props).filter(
    ({ name }) => name !== 'currency' || props.list !== 'customers' || moved,
  )
  const chosen = choices.map(({ choices: each, chosen: value }) => (value ? each[value] : ''))
  return (
    <>
      {pages > 1 && (
        <p class="printed">{`Rows ${number(before + 1)}–${number(before + rows.length)} of ${number(count)}`}</p>
      )}
      <PrintedFilters filters={[text && `“${text}”`, movementOf(props), ...chosen]} />
    </>
  )
}

const Pages = ({ list, query, page: { page, pages } }: PageProps) => {
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

/** A list from the copy: sorted by any column, filtered, counted, a hundred at a time. */
export const CopiedList = ({ resource, query }: ListViewProps) => {
  const list = resource.plural as ListName
  const { ask } = useCopy()
  const asking = { ...query, list }
  const { answer: page, pending, error } = useAnswer('list', asking)
  // Another page of the list begins at its top, or where it was left.
  useLayoutEffect(() => scrollTo(0, positionOfView()), [page?.page])
  const title = words(list)
  return (
    <main>
      <header class="title">
        <Heading name={title} />
        {page && <Filters list={list} query={query} page={page} />}
      </header>
      {error !== undefined && <Problem error={error} />}
      {page && (
        <div aria-busy={pending}>
          <Printed list={list} query={query} page={page} />
          <div class="counted">
            <p role="status">{pending ? 'Counting …' : counted(page.count, resource.singular)}</p>
            <CsvButton name={title} text={() => ask('csv', asking)} />
          </div>
          <Rows list={list} page={page} />
          <Pages list={list} query={query} page={page} />
          <Creation resource={resource} />
        </div>
      )}
    </main>
  )
}
