interface ChoicesProps {
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
  readonly hrefFor: (value: string) => string
}

/** A few choices, one of which is selected. Each is a link. */
export const Chips = ({ label, choices, chosen, hrefFor }: ChoicesProps) => (
  <nav aria-label={label}>
    {Object.entries(choices).map(([value, text]) => (
      <a key={value} href={hrefFor(value)} aria-current={value === chosen ? 'true' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

/** The empty value comes first. Otherwise a value such as "2026" would, as objects list integers first. */
const entriesFromEmpty = (choices: ChoicesProps['choices']) => {
  const entries = Object.entries(choices)
  const isEmpty = ([value]: readonly [string, string]): boolean => value === ''
  return [...entries.filter(isEmpty), ...entries.filter((entry) => !isEmpty(entry))]
}

/** A drop-down list, for choices that may be many. */
export const Select = ({ label, choices, chosen, hrefFor }: ChoicesProps) => (
  <select
    aria-label={label}
    class={chosen === '' ? '' : 'set'}
    value={chosen}
    onChange={({ currentTarget }) => {
      location.hash = hrefFor(currentTarget.value)
    }}
  >
    {entriesFromEmpty(choices).map(([value, text]) => (
      <option key={value} value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </select>
)

/** Returns choices whose texts are their values. */
export const choicesOf = (values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, value]))

interface CurrencyChipsProps extends Pick<ChoicesProps, 'chosen' | 'hrefFor'> {
  readonly currencies: readonly string[]
}

/** The choice of a currency; nothing if there is only one. */
export const CurrencyChips = ({ currencies, ...choice }: CurrencyChipsProps) =>
  currencies.length > 1 ? <Chips label="Currency" choices={choicesOf(currencies)} {...choice} /> : null
