interface ChipsProps {
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
  /** Returns the link that chooses a value. */
  readonly hrefFor: (value: string) => string
}

/** A few choices, one of which is selected; each is a link. */
export const Chips = ({ label, choices, chosen, hrefFor }: ChipsProps) => (
  <nav aria-label={label}>
    {Object.entries(choices).map(([value, text]) => (
      <a key={value} href={hrefFor(value)} aria-current={value === chosen ? 'true' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

interface SelectProps {
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
  /** Returns the link that chooses a value. */
  readonly hrefFor: (value: string) => string
}

/** Choices that may be many, one of which is selected. */
export const Select = ({ label, choices, chosen, hrefFor }: SelectProps) => (
  <select
    aria-label={label}
    value={chosen}
    onChange={({ currentTarget }) => {
      location.hash = hrefFor(currentTarget.value)
    }}
  >
    {Object.entries(choices).map(([value, text]) => (
      <option key={value} value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </select>
)

/** The active filters of a list, for print, where controls are hidden. */
export const PrintedFilters = ({ filters }: { readonly filters: readonly (string | undefined)[] }) => {
  const given = filters.filter(Boolean).join(', ')
  return given ? (
    <p class="printed">
      Filtered by: <bdi>{given}</bdi>
    </p>
  ) : null
}
