import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Call, Changes, Page } from '../../client/index.ts'
import type { RecordedEntity } from '../records/entities.ts'
import type { DocumentedResource } from './contract.ts'

type Options = Readonly<Record<string, unknown>> & { readonly signal?: AbortSignal }

/** The client's operations of a resource. A resource has only the operations that its contract contains. */
interface Operations {
  list(options: Options): Call<Page<RecordedEntity>>
  changes(options: Options): AsyncIterator<Changes<RecordedEntity>, undefined>
  retrieve(id: string, options: Options): Call<RecordedEntity>
  create(body: object): Call<RecordedEntity>
  update(id: string, changes: object): Call<RecordedEntity>
  anonymise(id: string): Call<RecordedEntity>
}

export interface Session {
  readonly baseUrl: string
  readonly appId: string
  /** The application's name, or its id if it has none. */
  readonly applicationName: string
  /** The address of the documentation page; undefined if the stage does not serve it. */
  readonly docsUrl: string | undefined
  readonly resources: readonly DocumentedResource[]
  readonly api: Readonly<Record<string, Operations>>
  /** Whether the key can change data. With a read-only key, no forms are shown. */
  readonly mayChange: boolean
  /** The age in seconds from which a change is in a change feed. */
  readonly heldBack: number
  /** Ends the session and deletes its stored data. `reason` is the error that ended it. */
  readonly signOut: (reason?: unknown) => void
}

export type Connection = Omit<Session, 'signOut'>

/** The current session; undefined before the sign-in. */
export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = (): Session => useContext(SessionContext)!

/** Returns the name of the stage: the last segment of the API's address on a deployment, or an empty text. */
export const stageOf = (baseUrl: string): string => new URL(baseUrl).pathname.split('/').at(-1) ?? ''
