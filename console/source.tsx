import { useState } from 'preact/hooks'
import { useSession } from './session.tsx'
import './source.css'

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the command that gets an address of the API. It names the credentials and does not contain them. */
export const curlOf = (url: string): string =>
  `curl ${inShell(url)} -H "Authorization: Bearer $API_KEY" -H "x-app-id: $APP_ID"`

const Copied = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <details class="source">
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard too */}
      <section tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
      <button type="button" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </details>
  )
}

interface SourceProps {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly data: unknown
}

/** What is shown above as the API gives it, and the command that gets it. */
export const Source = ({ path, query, data }: SourceProps) => {
  const { baseUrl } = useSession()
  const given = Object.entries(query).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`] : [],
  )
  const url = `${baseUrl}${path}${given.length > 0 ? `?${given.join('&')}` : ''}`
  return (
    <section class="sources" aria-label="As the API gives it">
      <Copied title="JSON" text={JSON.stringify(data, null, 2)} />
      <Copied title="curl" text={curlOf(url)} />
    </section>
  )
}
