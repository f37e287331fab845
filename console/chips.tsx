interface ChipsProps {
  readonly label: string
  /** The choices, with the link to each. */
  readonly choices: readonly { readonly text: string; readonly link: string; readonly chosen: boolean }[]
}

/** A few choices, one of which is selected; each is a link. */
export const Chips = ({ label, choices }: ChipsProps) => (
  <nav aria-label={label}>
    {choices.map(({ text, link, chosen }) => (
      <a key={text} href={link} aria-current={chosen ? 'true' : undefined}>
        {text}
      </a>
    ))}
  </nav>
)
