interface ChipsProps {
  readonly label: string
  readonly choices: Readonly<Record<string, string>>
  readonly chosen: string
  readonly to: (value: string) => string
}

/** A few choices, one of which is selected; each is a link. */
export const Chips = ({ label, choices, chosen, to }: ChipsProps) => (
  <nav aria-label={label}>
    {Object.entries(choices).map(([value, text]) => (
      <a key={value} href={to(value)} aria-current={value === chosen ? 'true' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)

/** What a list is filtered by, on paper, which shows no controls. */
export const PrintedFilters = ({ filters }: { readonly filters: readonly (string | undefined)[] }) => {
  const given = filters.filter(Boolean).join(', ')
  return given ? (
    <p class="printed">
      Filtered by: <bdi>{given}</bdi>
    </p>
  ) : null
}
