import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import type { Identity } from '../../tools/applications/items.ts'
import type { Request } from './requests.ts'

export interface Exchange extends Request {
  readonly app: keyof typeof identities
  readonly answer: {
    readonly data: object
    readonly pagination?: Readonly<Record<'next_cursor' | 'previous_cursor', string | null>>
  }
}

export interface Recording {
  readonly version: string
  readonly indexes: readonly string[]
  readonly items: readonly Record<string, AttributeValue>[]
  /** Sent again, they are replays. */
  readonly replays: readonly Exchange[]
  /** Of every read operation, after the last write. */
  readonly answers: readonly Exchange[]
}

/** From a word of four characters. */
const identityOf = (word: string): Identity => ({
  app_id: `app_${word.repeat(4)}`,
  api_key: apiKeyOf(word.repeat(8)),
  cursor_secret: Buffer.alloc(32, word).toString('base64'),
})

/** Their keys are derived, because the table stores only hashes of keys. */
export const identities = {
  plain: identityOf('Pla1'),
  sharded: identityOf('Shar'),
  disabled: identityOf('Dis1'),
  removed: identityOf('Rem1'),
}
