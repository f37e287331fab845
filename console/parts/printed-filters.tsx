interface PrintedFiltersProps {
  readonly filters: readonly (string | undefined)[]
}

/** The active filters of a list, for print, where controls are hidden. */
export const PrintedFilters = ({ filters }: PrintedFiltersProps) => {
  const active = filters.filter(Boolean).join(', ')
  return active ? (
    <p class="printed">
      Filtered by: <bdi>{active}</bdi>
    </p>
  ) : null
}
