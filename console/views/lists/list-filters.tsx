import { capitalised } from '../../../shared/text/capitalised.ts'
import { movementColours } from '../../charts/overview-charts.tsx'
import { type Address, currentAddress, linkTo } from '../../frame/address.ts'
import type { ListName } from '../../lists/columns.ts'
import { listKinds } from '../../lists/list-query.ts'
import type { ListPage } from '../../lists/lists.ts'
import type { KindSums } from '../../lists/movements.ts'
import { Chips, choicesOf, Select } from '../../parts/choices.tsx'
import { Explanation } from '../../parts/explanation.tsx'
import { TimeSpanChoice } from '../../parts/time-span-choice.tsx'
import { Key } from '../../plot/read-out.tsx'
import { reasonNames } from '../../records/reason-text.ts'
import { monthText } from '../../text/dates.ts'
import { facts, factTexts } from '../../text/facts.ts'
import { changeText, number, plainName, segmentName, signedMoney } from '../../text/format.ts'
import { monthFrom } from '../../text/time-span.ts'

interface ListFiltersProps {
  readonly list: ListName
  readonly query: Address['query']
  readonly page: ListPage
}

export const dateLabels: Readonly<Record<ListName, string>> = {
  customers: 'First invoice',
  invoices: 'Created',
  subscriptions: 'Billed until',
  movements: 'Changed',
}

/** The texts in which the text filter of each list searches words. */
const searchedTexts: Readonly<Record<ListName, string>> = {
  customers: 'name, email address and your id',
  invoices: 'customer, lines, number, discounts and your id of the subscription',
  subscriptions: 'customer, plan and your id',
  movements: 'customer, plan and reason',
}

/** The description of the filter that a link from the figures has set; undefined without one. */
export const linkedFilter = ({ customers, renews = '', fact: factName }: Address['query']) => {
  const fact = facts.find((name) => name === factName)
  if (fact) return capitalised(factTexts[fact])
  if (customers) return `${changeText(customers)} customers, all currencies`
  const renewalMonth = monthFrom(renews)
  return renewalMonth === undefined ? undefined : `Expected renewals, ${monthText(renewalMonth)}`
}

/** Returns the link to the first page of the list with other filters. */
const linkWith = ({ list, query }: ListFiltersProps, changes: Address['query']): string =>
  linkTo([list], { ...query, page: '', ...changes })

const CurrencyChoice = (props: ListFiltersProps) => {
  const { currencies } = props.page
  if (currencies.length < 2) return null
  return (
    <Select
      label="Currency"
      choices={{ '': 'Any currency', ...choicesOf(currencies) }}
      chosen={props.query.currency ?? ''}
      hrefFor={(currency) => linkWith(props, { currency })}
    />
  )
}

/** The key of the customers' metadata that has a column and, once a key is chosen, the value by which the list is filtered. */
const SegmentChoice = (props: ListFiltersProps) => {
  const { segmentKeys } = props.page
  const { by: chosenKey = '', segment = '' } = props.query
  if (segmentKeys.length === 0) return null
  const keys = Object.fromEntries(segmentKeys.map(({ key }) => [key, `By ${segmentName(key)}`]))
  const values = segmentKeys.find(({ key }) => key === chosenKey)?.values ?? []
  return (
    <>
      <Select
        label="Segment by"
        choices={{ '': 'Group', ...keys }}
        chosen={chosenKey}
        hrefFor={(key) => linkWith(props, { by: key, segment: '' })}
      />
      {chosenKey && (
        <Select
          label={plainName(segmentName(chosenKey))}
          choices={{ '': `Any ${segmentName(chosenKey)}`, ...choicesOf(values) }}
          chosen={segment}
          hrefFor={(value) => linkWith(props, { segment: value })}
        />
      )}
    </>
  )
}

/** The text for all kinds of records of a list, if a menu offers them. The kinds of movements stand above their list. */
const kindOfAll: Readonly<Partial<Record<ListName, string>>> = {
  invoices: 'Invoices and credit notes',
  subscriptions: 'Active and ended',
}

const KindChoice = (props: ListFiltersProps) => {
  const { list, query } = props
  const all = kindOfAll[list]
  if (!all) return null
  return (
    <Select
      label="Which"
      choices={{ '': all, ...listKinds[list] }}
      chosen={query.kind ?? ''}
      hrefFor={(kind) => linkWith(props, { kind })}
    />
  )
}

/** The plan and the reason of movements. A chosen one is offered even if the months have none. */
const MovementChoices = (props: ListFiltersProps) => {
  const { movements } = props.page
  const { plan = '', reason = '' } = props.query
  if (!movements) return null
  const reasons = [...new Set([...movements.reasons, reason])].filter(Boolean)
  return (
    <>
      <Select
        label="Plan"
        choices={{ ...(plan && { [plan]: plan }), ...movements.plans, '': 'Plan' }}
        chosen={plan}
        hrefFor={(chosen) => linkWith(props, { plan: chosen })}
      />
      <Select
        label="Reason"
        choices={{
          '': 'Reason',
          ...Object.fromEntries(reasons.map((name) => [name, reasonNames[name] ?? name])),
        }}
        chosen={reason}
        hrefFor={(chosen) => linkWith(props, { reason: chosen })}
      />
    </>
  )
}

const TextFilterHint = ({ list, page: { comparedTitle, segmentKeys } }: ListFiltersProps) => {
  const [segment] = segmentKeys
  const exampleValue = segment?.values.find((value) => /^\S+$/.test(value))
  return (
    <ul class="stack">
      <li>{`Whole words of the ${searchedTexts[list]}. The last one may be the beginning of a word`}</li>
      <li>
        <code>&gt; 1000</code>
        {` or <, >=, <=, =: “${comparedTitle}”${list === 'invoices' ? ', with tax' : ''}. Amounts are written as 1,000.50`}
      </li>
      {list === 'invoices' && (
        <li>
          <code>tax = 0</code> or any other amount by its name
        </li>
      )}
      {segment && exampleValue && (
        <li>
          <code>{`${segment.key}:${exampleValue}`}</code> or any other key of the customers' metadata
        </li>
      )}
    </ul>
  )
}

/** The text filter. It is explained while it has the focus. */
const TextFilter = (props: ListFiltersProps) => (
  <div class="text-filter">
    <input
      type="search"
      aria-label="Filter"
      placeholder={`Filter ${props.list}`}
      // Reads the address, which already has the latest keystroke, not "query", which may lag behind: otherwise typed text could
      // disappear.
      value={currentAddress().query.text ?? ''}
      onInput={({ currentTarget }) => location.replace(linkWith(props, { text: currentTarget.value }))}
    />
    <Explanation about="The filter">
      <TextFilterHint {...props} />
    </Explanation>
  </div>
)

const DiscountChoice = (props: ListFiltersProps) => {
  const { discountLabel } = props.page
  if (!discountLabel) return null
  return (
    <Chips
      label="Discount"
      choices={{ '': `Discount: ${discountLabel} ✕` }}
      chosen=""
      hrefFor={() => linkWith(props, { discount: '' })}
    />
  )
}

/**
 * The filters of a list, each of which is in the address. Expected renewals have a month of their own instead of a time span.
 */
export const ListFilters = (props: ListFiltersProps) => {
  const { list, query, page } = props
  const linked = linkedFilter(query)
  return (
    <>
      <TextFilter {...props} />
      {linked && (
        <Chips
          label="Linked from figures"
          choices={{ '': `${linked} ✕` }}
          chosen=""
          hrefFor={() => linkWith(props, { customers: '', renews: '', fact: '', sort: '' })}
        />
      )}
      {!query.renews && (
        <TimeSpanChoice
          label={dateLabels[list]}
          within={query.within ?? ''}
          currentMonth={page.currentMonth}
          isOfMonths={list === 'movements'}
          hrefFor={(within) => linkWith(props, { within })}
        />
      )}
      <DiscountChoice {...props} />
      <KindChoice {...props} />
      <CurrencyChoice {...props} />
      <MovementChoices {...props} />
      <SegmentChoice {...props} />
    </>
  )
}

interface MovementKindsProps {
  readonly kinds: readonly KindSums[]
  readonly chosen: string
  readonly hrefFor: (kind: string) => string
}

/** The kinds of movements with their numbers and sums, of which one is chosen. */
export const MovementKinds = ({ kinds, chosen, hrefFor }: MovementKindsProps) => (
  <nav class="scroll kinds" aria-label="Kind of movement">
    {kinds.map(({ kind, count, amounts }) => (
      <a key={kind} href={hrefFor(kind ?? '')} aria-current={(kind ?? '') === chosen ? 'true' : undefined}>
        <small>
          {kind && <Key colour={movementColours[kind]} />}
          {`${kind ? changeText(kind) : 'Net change'} · ${number(count)}`}
        </small>
        <b>{amounts.map(({ amount, currency }) => signedMoney(amount, currency)).join(', ') || '–'}</b>
      </a>
    ))}
  </nav>
)
