import { useLayoutEffect, useMemo } from 'preact/hooks'
import { CreationForm } from '../../forms/creation.tsx'
import { type Address, currentAddress, linkTo } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import { useAnswer, useCopy, useIsComplete } from '../../frame/copy-context.tsx'
import { positionOfView } from '../../frame/scroll-position.ts'
import type { ListName } from '../../lists/columns.ts'
import { type ListQuery, listKinds } from '../../lists/list-query.ts'
import { type ListPage, PAGE_ROWS } from '../../lists/lists.ts'
import { Chips } from '../../parts/choices.tsx'
import { CsvButton, CsvFormChoice } from '../../parts/csv-button.tsx'
import { Heading } from '../../parts/heading.tsx'
import { PageLinks } from '../../parts/page-links.tsx'
import { PrintedFilters } from '../../parts/printed-filters.tsx'
import { Problem } from '../../parts/problem.tsx'
import { reasonNames } from '../../records/reason-text.ts'
import { ListTable } from '../../tables/list-table.tsx'
import { counted, number, plainName } from '../../text/format.ts'
import { dateInSpan, monthFrom, monthsAround, monthsParameter, timeSpanFrom } from '../../text/time-span.ts'
import { CopyStatus } from '../figures/copy-status.tsx'
import { dateLabels, ListFilters, linkedFilter, MovementKinds } from './list-filters.tsx'

interface RowsProps {
  readonly list: ListName
  /** The noun of a row, such as "invoice". */
  readonly noun: string
  readonly text: string | undefined
  readonly page: ListPage
}

/** The rows of a page. They are rendered once per answer, not again for each keystroke until the next answer. */
const Rows = ({ list, noun, text, page }: RowsProps) =>
  useMemo(
    () =>
      page.count > 0 ? (
        <ListTable
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
        <p class="empty">{`There are no ${list} to show${text ? ` with the filter “${text}”` : ''}.`}</p>
      ),
    [page],
  )

interface ShownPageProps {
  readonly list: ListName
  readonly query: Address['query']
  readonly page: ListPage
}

/** For print, where no other page can be opened: which rows this page shows, and the active filters. */
const PrintedState = ({ list, query, page: listPage }: ShownPageProps) => {
  const { page, pages, rows, rowCount } = listPage
  const { text, within = '', kind = '', plan = '', reason, currency, by = '', segment } = query
  const firstRow = (page - 1) * PAGE_ROWS + 1
  const lastRow = firstRow + rows.length - 1
  const span = timeSpanFrom(within)
  const filters = [
    text && `“${text}”`,
    linkedFilter(query),
    listPage.discountLabel && `Discount: ${listPage.discountLabel}`,
    span && dateInSpan(dateLabels[list], span),
    listKinds[list][kind],
    plan && `Plan: ${listPage.movements?.plans[plan] ?? plan}`,
    reason && `Reason: ${reasonNames[reason]}`,
    currency,
    segment && `${by}: ${segment}`,
  ]
  return (
    <>
      {pages > 1 && (
        <p class="printed">{`Rows ${number(firstRow)}–${number(lastRow)} of ${number(rowCount)}`}</p>
      )}
      <PrintedFilters filters={filters} />
    </>
  )
}

const Pages = ({ list, query, page: { page, pages } }: ShownPageProps) => {
  if (pages === 1) return null
  const linkToPage = (pageNumber: number) => linkTo([list], { ...query, page: String(pageNumber) })
  return (
    <PageLinks
      previous={page > 1 ? linkToPage(page - 1) : undefined}
      next={page < pages ? linkToPage(page + 1) : undefined}
    >
      <span>{`Page ${page} of ${pages}`}</span>
    </PageLinks>
  )
}

/** The name of the CSV file of a list, made from the list and its filters, such as `invoices-2026-10-eur`. */
const fileName = (list: ListName, query: Address['query']): string => {
  const { customers, renews, fact, discount, within, kind, plan, reason, currency, segment, text } = query
  return [
    list,
    fact,
    discount,
    customers,
    renews && `renewing-${renews}`,
    within,
    kind,
    plan,
    reason,
    segment,
    currency,
    text,
  ]
    .filter(Boolean)
    .join('-')
}

const unknownCurrency = ({ currency }: Address['query'], { currencies }: ListPage): string | undefined =>
  currency && currencies.length > 0 && !currencies.includes(currency)
    ? `No invoice is in ${currency}. There are invoices in ${currencies.join(', ')}.`
    : undefined

/** Returns whether the figures have the same sums as the list: if it has all invoices of a month. */
const hasSumsOfFigures = (list: ListName, query: Address['query']): boolean => {
  const { within = '', text, kind, fact, discount, segment } = query
  const isFiltered = Boolean(text || kind || fact || discount || segment)
  return list === 'invoices' && monthFrom(within) !== undefined && !isFiltered
}

/** The lists of the page of customers. The movements are first those of the current quarter. */
const CustomerTabs = ({ list, page }: Pick<ShownPageProps, 'list' | 'page'>) => (
  <div class="chips">
    <Chips
      label="List"
      choices={{ customers: 'All customers', movements: 'Movements' }}
      chosen={list}
      hrefFor={(chosen) =>
        linkTo([chosen], {
          within: chosen === 'movements' ? monthsParameter(monthsAround(page.currentMonth, 3)) : '',
        })
      }
    />
  </div>
)

interface CopiedListViewProps {
  readonly list: ListName
  /** The resource whose entities are listed; undefined for movements, which are computed. */
  readonly resource?: DocumentedResource | undefined
  readonly query: Address['query']
}

/** A list from the copy: sorted by any column, filtered, counted and summed, with a hundred rows on a page. */
export const CopiedListView = ({ list, resource, query }: CopiedListViewProps) => {
  const { ask } = useCopy()
  const isComplete = useIsComplete()
  const { app, months, zone, ...parameters } = query
  const listQuery: ListQuery = { ...parameters, list }
  const { answer: page, pending, error } = useAnswer('list', listQuery)
  // Another page of the list is shown from its top, or where the user left it. Its layout is a task of its own, before it is painted.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => scrollTo(0, positionOfView()))
    return () => cancelAnimationFrame(frame)
  }, [page?.page])
  const title = plainName(list)
  const noun = resource?.singular ?? 'movement'
  const currencyError = page && unknownCurrency(query, page)
  return (
    <main>
      <header class="title">
        <Heading name={title} />
        {page && (list === 'customers' || list === 'movements') && <CustomerTabs list={list} page={page} />}
        {resource && <CreationForm resource={resource} />}
        {page && (
          <p role="status" class="push small quiet">
            {pending ? 'Counting …' : counted(page.count, noun)}
          </p>
        )}
        {!isComplete && <CopyStatus />}
      </header>
      {page && (
        <div class="chips filters">
          <ListFilters list={list} query={query} page={page} />
          <span class="push">
            <CsvButton
              title={title}
              fileName={fileName(list, query)}
              content={(form) => ask('csv', { ...listQuery, form })}
            />
            <CsvFormChoice />
          </span>
        </div>
      )}
      {error !== undefined && <Problem error={error} />}
      {currencyError && <p role="alert">{currencyError}</p>}
      {page && (
        <div class="stack" aria-busy={pending}>
          <PrintedState list={list} query={query} page={page} />
          <div class="card">
            {page.movements && (
              <MovementKinds
                kinds={page.movements.kinds}
                chosen={query.kind ?? ''}
                hrefFor={(kind) => linkTo([list], { ...query, kind, page: '' })}
              />
            )}
            <Rows list={list} noun={noun} text={query.text} page={page} />
          </div>
          {hasSumsOfFigures(list, query) && (
            <p class="note">Net is “Billed” in Finance, and Total is “Invoiced” in the overview.</p>
          )}
          <Pages list={list} query={query} page={page} />
        </div>
      )}
    </main>
  )
}
