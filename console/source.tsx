import { useState } from 'preact/hooks'
import { useSession } from './session.ts'
import './source.css'

const Copied = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const [copied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <details class="source">
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus */}
      <section class="scroll" tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
      <button type="button" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </details>
  )
}

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

interface SourceProps {
  /** The link to what is shown, with what the request embeds. */
  readonly link: string
  readonly data: unknown
}

/** What is shown as the API returns it, and the command that gets it, which names the credentials and has none. */
export const Source = ({ link, data }: SourceProps) => {
  const { baseUrl } = useSession()
  const url = inShell(`${baseUrl}/api${link.slice(1)}`)
  return (
    <section aria-label="As the API returns it">
      <Copied title="JSON" text={JSON.stringify(data, null, 2)} />
      <Copied title="curl" text={`curl ${url} -H "Authorization: Bearer $API_KEY" -H "x-app-id: $APP_ID"`} />
    </section>
  )
}
