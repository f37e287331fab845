import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import type { Identity } from '../../tools/applications/items.ts'
import type { Request } from './requests.ts'

/** A request of an application, and the body of its 200. */
export interface Exchange extends Request {
  readonly app: keyof typeof identities
  readonly answer: {
    readonly data: object
    readonly pagination?: Readonly<Record<'next_cursor' | 'previous_cursor', string | null>>
  }
}

/** What a version stored and returned. */
export interface Recording {
  readonly version: string
  /** The names of the indexes of its table. */
  readonly indexes: readonly string[]
  readonly items: readonly Record<string, AttributeValue>[]
  /** The creates with their first responses. Sent again, they are replays. */
  readonly replays: readonly Exchange[]
  /** The responses of every read operation after the last write. */
  readonly answers: readonly Exchange[]
}

/** Returns an identity that is derived from a word of four characters. */
const identityOf = (word: string): Identity => ({
  app_id: `app_${word.repeat(4)}`,
  api_key: apiKeyOf(word.repeat(8)),
  cursor_secret: Buffer.alloc(32, word).toString('base64'),
})

/** The applications of a recording. Their keys are derived, because the table stores only hashes of keys. */
export const identities = {
  plain: identityOf('Pla1'),
  sharded: identityOf('Shar'),
  disabled: identityOf('Dis1'),
  removed: identityOf('Rem1'),
}
