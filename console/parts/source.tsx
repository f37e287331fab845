import { singleQuoted } from '../../shared/text/shell.ts'
import { useSession } from '../frame/session.ts'
import { Preformatted } from './preformatted.tsx'

interface SourceProps {
  /** The path and query of a request, after `/api`. */
  readonly path: string
  /** The data that the API returned for the path. */
  readonly data: unknown
}

/**
 * The data of a page as the API returns it, and a curl command for the same data. The command refers to the credentials by
 * variables and does not contain them.
 */
export const Source = ({ path, data }: SourceProps) => {
  const { baseUrl } = useSession()
  const url = singleQuoted(`${baseUrl}/api${path}`)
  const command = `curl ${url} -H "Authorization: Bearer $API_KEY" -H "x-app-id: $APP_ID"`
  return (
    <>
      <details>
        <summary>JSON</summary>
        <Preformatted text={JSON.stringify(data, null, 2)} />
      </details>
      <details>
        <summary>curl, with your key in API_KEY and the application id in APP_ID</summary>
        <Preformatted text={command} />
      </details>
    </>
  )
}
