import { type Draft, unusableDraft } from '../../draft.ts'
import type { ListPage } from './stripe-objects.ts'

/** Finds the lists whose last page is in none of the files. Their pages may come in any order. */
export class UnfinishedLists {
  /** The file of the first page of each list whose last page has not been read, by URL. */
  readonly #firstFiles = new Map<string, string>()
  readonly #finished = new Set<string>()

  add({ url, hasMore }: ListPage, file: string): void {
    if (!hasMore) {
      this.#finished.add(url)
      this.#firstFiles.delete(url)
    } else if (!this.#finished.has(url) && !this.#firstFiles.has(url)) this.#firstFiles.set(url, file)
  }

  /**
   * Returns a row for each list without its last page: it is skipped if the user accepts missing pages, and otherwise refused.
   */
  drafts(allowsMissingPages: boolean): Draft[] {
    return [...this.#firstFiles].map(([url, file]) => {
      const problem = `The list ${url} is incomplete: its last page in the files has "has_more": true. Fetch all pages.`
      const draft = unusableDraft({ file, row: 0 }, url, problem)
      return allowsMissingPages ? { ...draft, skipReason: problem } : draft
    })
  }
}
