import { singleQuoted } from '../../shared/text/shell.ts'
import { useSession } from '../frame/session.ts'
import type { RecordedEntity } from '../records/entities.ts'
import { DescribedTerm } from './described-term.tsx'
import { Popover } from './popover.tsx'
import { Preformatted } from './preformatted.tsx'

interface DeveloperProps {
  /** The path and query of a request, after `/api`. */
  readonly path: string
  readonly data: RecordedEntity | readonly RecordedEntity[]
}

const Ids = ({ id, external_id }: RecordedEntity) => (
  <dl class="facts">
    {external_id !== undefined && (
      <DescribedTerm term="Your id">
        <code>{String(external_id)}</code>
      </DescribedTerm>
    )}
    <DescribedTerm term="Our id">
      <code>{id}</code>
    </DescribedTerm>
  </dl>
)

/** What developers want of a page: ids, data, and a curl command, which refers to the credentials by variables. */
export const Developer = ({ path, data }: DeveloperProps) => {
  const { baseUrl } = useSession()
  const url = singleQuoted(`${baseUrl}/api${path}`)
  const command = `curl ${url} -H "Authorization: Bearer $API_KEY" -H "x-app-id: $APP_ID"`
  return (
    <Popover title="Developer" kind="wide">
      {'id' in data && <Ids {...data} />}
      <p>curl, with your key in API_KEY and the application id in APP_ID</p>
      <Preformatted text={command} />
      <p>JSON</p>
      <Preformatted text={JSON.stringify(data, null, 2)} />
    </Popover>
  )
}
