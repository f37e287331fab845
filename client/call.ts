import type { ApiResponse, Call } from './operations.ts'

/** A call in progress: a promise of the data alone. If only the response is awaited, nothing else rejects. */
export class SentCall<T> extends Promise<T> implements Call<T> {
  readonly #response: Promise<ApiResponse<T>>

  constructor(start: () => Promise<ApiResponse<T>>) {
    super(() => undefined)
    this.#response = start()
  }

  /** `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it
  override then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(onData, onError)
  }

  withResponse(): Promise<ApiResponse<T>> {
    return this.#response
  }
}
