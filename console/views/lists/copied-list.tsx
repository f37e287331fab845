import { useLayoutEffect, useMemo } from 'preact/hooks'
import { Creation } from '../../forms/creation.tsx'
import { type Address, currentAddress, linkTo } from '../../frame/address.ts'
import { useAnswer, useCopy } from '../../frame/copied.tsx'
import { positionOfView } from '../../frame/scroll-position.ts'
import type { ListName } from '../../lists/columns.ts'
import { type ListQuery, listKinds } from '../../lists/list-query.ts'
import { type ListPage, PAGE_ROWS } from '../../lists/lists.ts'
import { Chips, Select } from '../../parts/choices.tsx'
import { CsvButton } from '../../parts/csv-button.tsx'
import { Heading } from '../../parts/heading.tsx'
import { PrintedFilters } from '../../parts/printed-filters.tsx'
import { Problem } from '../../parts/problem.tsx'
import { When } from '../../parts/when.tsx'
import { ListSums } from '../../tables/list-sums.tsx'
import { RowsTable } from '../../tables/rows-table.tsx'
import { facts, factWords } from '../../text/facts.ts'
import { capitalised, changeWords, counted, monthText, number, plainName } from '../../text/format.ts'
import { monthFrom, timeSpanFrom, timeSpanWords } from '../../text/time-span.ts'
import type { ListViewProps } from './list-view.tsx'
import './list-view.css'

interface ListProps {
  readonly list: ListName
  readonly query: Address['query']
}

interface PageProps extends ListProps {
  readonly page: ListPage
}

/** What the span of time of a list limits. */
const whenLabels: Readonly<Record<ListName, string>> = {
  customers: 'First invoice',
  invoices: 'Created',
  subscriptions: 'Paid until',
}

const filterHints: Readonly<Record<ListName, string>> = {
  customers: 'Name, > 1000, country:DE',
  invoices: 'Customer, plan, number, > 1000',
  subscriptions: 'Customer, plan, > 1000',
}

/** What the figures lead to, in words: the customers' change, the renewals or what is told of invoices that a list is limited to. */
const linkedWords = ({ query, page: { monthsOfChanges, running } }: PageProps): string | undefined => {
  const { moved, renews = '', told, currency } = query
  const fact = facts.find((name) => name === told)
  if (fact) return capitalised(factWords[fact])
  if (moved) {
    const inCurrency = currency ? ` in ${currency}` : ''
    const { first, count } = monthsOfChanges
    const isRunning = first <= running && running < first + count
    return `${capitalised(changeWords(moved, isRunning))}${inCurrency}, ${timeSpanWords(monthsOfChanges)}`
  }
  const renewed = monthFrom(renews)
  return renewed === undefined ? undefined : `Expected renewals, ${monthText(renewed)}`
}

/** Returns the link to the list with other choices, on its first page. */
const linkWith = ({ list, query }: ListProps, chosen: Address['query']): string =>
  linkTo([list], { ...query, page: '', ...chosen })

const CurrencyChoice = (props: PageProps) => {
  const { currencies } = props.page
  const { currency = '' } = props.query
  if (currencies.length < 2) return null
  const codes = Object.fromEntries(currencies.map((code) => [code, code]))
  return (
    <Chips
      label="Currency"
      choices={{ '': 'Any currency', ...codes }}
      chosen={currency}
      hrefFor={(chosen) => linkWith(props, { currency: chosen })}
    />
  )
}

/** The key of the customers' metadata that is shown and, once one is chosen, the value by which the list is filtered. */
const SegmentChoice = (props: PageProps) => {
  const { segmentKeys } = props.page
  const { by = '', segment = '' } = props.query
  if (segmentKeys.length === 0) return null
  const keys = Object.fromEntries(segmentKeys.map(({ key }) => [key, `By ${key}`]))
  const values = segmentKeys.find(({ key }) => key === by)?.values ?? []
  return (
    <>
      <Select
        label="Segment by"
        choices={{ '': 'By no segment', ...keys }}
        chosen={by}
        hrefFor={(key) => linkWith(props, { by: key, segment: '' })}
      />
      {by && (
        <Select
          label={plainName(by)}
          choices={{ '': `Any ${by}`, ...Object.fromEntries(values.map((value) => [value, value])) }}
          chosen={segment}
          hrefFor={(value) => linkWith(props, { segment: value })}
        />
      )}
    </>
  )
}

const KindChoice = (props: PageProps) => {
  const kinds = listKinds[props.list]
  if (Object.keys(kinds).length === 0) return null
  return (
    <Chips
      label="Which"
      choices={{ '': 'All', ...kinds }}
      chosen={props.query.kind ?? ''}
      hrefFor={(kind) => linkWith(props, { kind })}
    />
  )
}

const Filters = (props: PageProps) => {
  const { list, query, page } = props
  const linked = linkedWords(props)
  return (
    <div class="chips">
      <input
        type="search"
        aria-label="Filter"
        placeholder={filterHints[list]}
        // Reads the address, which already has the latest keystroke, not "query", which may lag behind: otherwise typed
        // text could disappear.
        value={currentAddress().query.text ?? ''}
        onInput={({ currentTarget }) => location.replace(linkWith(props, { text: currentTarget.value }))}
      />
      {linked ? (
        <Chips
          label="Linked from figures"
          choices={{ '': `${linked} ✕` }}
          chosen=""
          hrefFor={() => linkWith(props, { moved: '', month: '', renews: '', told: '', sort: '' })}
        />
      ) : (
        <When
          label={whenLabels[list]}
          within={query.within ?? ''}
          running={page.running}
          hrefFor={(within) => linkWith(props, { within })}
        />
      )}
      <KindChoice {...props} />
      <CurrencyChoice {...props} />
      <SegmentChoice {...props} />
    </div>
  )
}

/** The rows of a page, rendered once per answer, not again for each keystroke until the next answer. */
const Rows = ({
  list,
  noun,
  page,
}: {
  readonly list: ListName
  readonly noun: string
  readonly page: ListPage
}) =>
  useMemo(
    () =>
      page.count > 0 ? (
        <RowsTable
          label={plainName(list)}
          columns={page.columns}
          rows={page.rows}
          noun={noun}
          sums={page.sums}
          isGrouped={page.isGrouped}
          sort={page.sort}
          hrefOfSort={(sort) => linkTo([list], { ...currentAddress().query, sort, page: '' })}
        />
      ) : (
        <p class="empty">None.</p>
      ),
    [page],
  )

/** For print, where no other page can be opened: which rows this page shows, and the active filters. */
const Printed = (props: PageProps) => {
  const { page, pages, rows, rowCount } = props.page
  const { text, within = '', kind = '', currency, by = '', segment } = props.query
  const first = (page - 1) * PAGE_ROWS + 1
  const span = timeSpanFrom(within)
  const filters = [
    text && `“${text}”`,
    linkedWords(props),
    span && `${whenLabels[props.list]}: ${timeSpanWords(span)}`,
    listKinds[props.list][kind],
    currency,
    segment && `${by}: ${segment}`,
  ]
  return (
    <>
      {pages > 1 && (
        <p class="printed">{`Rows ${number(first)}–${number(first + rows.length - 1)} of ${number(rowCount)}`}</p>
      )}
      <PrintedFilters filters={filters} />
    </>
  )
}

const Pages = ({ list, query, page: { page, pages } }: PageProps) => {
  if (pages === 1) return null
  const linkToPage = (number: number) => linkTo([list], { ...query, page: String(number) })
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={linkToPage(page - 1)}>← Previous</a>}
      <span>{`Page ${page} of ${pages}`}</span>
      {page < pages && <a href={linkToPage(page + 1)}>Next →</a>}
    </nav>
  )
}

/** Returns the name of the file of a list by what it holds, such as `invoices-2026-10-eur`. */
const fileName = ({ list, query }: ListProps): string => {
  const { moved, month, renews, told, within, kind, currency, segment, text } = query
  return [list, told, moved, month, renews && `renewing-${renews}`, within, kind, segment, currency, text]
    .filter(Boolean)
    .join('-')
}

/** Returns what is wrong with a currency that no invoice has. */
const unknownCurrency = ({ currency }: Address['query'], { currencies }: ListPage): string | undefined =>
  currency && currencies.length > 0 && !currencies.includes(currency)
    ? `No invoice is in ${currency}. There are invoices in ${currencies.join(', ')}.`
    : undefined

/** Whether the list has the sums that the figures have: of all invoices of some months. */
const areFigures = ({ list, query }: ListProps): boolean => {
  const { within = '', text, kind, told, segment } = query
  const isFiltered = text || kind || told || segment
  return list === 'invoices' && /^\d{4}-\d{2}$/.test(within) && !isFiltered
}

/** A list from the copy: sorted by any column, filtered, counted and summed, a hundred at a time. */
export const CopiedList = ({ resource, query }: ListViewProps) => {
  const list = resource.plural as ListName
  const { ask } = useCopy()
  const { app, months, zone, ...asked } = query
  const asking: ListQuery = { ...asked, list }
  const { answer: page, pending, error } = useAnswer('list', asking)
  // Another page of the list begins at its top, or where it was left.
  useLayoutEffect(() => scrollTo(0, positionOfView()), [page?.page])
  const title = plainName(list)
  const noun = resource.singular
  const wrong = page && unknownCurrency(query, page)
  return (
    <main>
      <header class="title">
        <Heading name={title} />
        {page && <Filters list={list} query={query} page={page} />}
      </header>
      {error !== undefined && <Problem error={error} />}
      {wrong && <p role="alert">{wrong}</p>}
      {page && (
        <div aria-busy={pending}>
          <Printed list={list} query={query} page={page} />
          <div class="counted">
            <p role="status">{pending ? 'Counting …' : counted(page.count, noun)}</p>
            <CsvButton
              title={title}
              fileName={fileName({ list, query })}
              content={() => ask('csv', asking)}
            />
          </div>
          <ListSums
            sums={page.sums}
            columns={page.columns}
            noun={noun}
            areFigures={areFigures({ list, query })}
          />
          <Rows list={list} noun={noun} page={page} />
          <Pages list={list} query={query} page={page} />
          <Creation resource={resource} />
        </div>
      )}
    </main>
  )
}
