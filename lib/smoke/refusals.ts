import type { Step } from './tour.ts'

/** An answer that must be a refusal in the specification's envelope. */
interface Refusal {
  readonly status: number
  readonly requestId: string | null
  readonly allow: string | null
  readonly codes: readonly unknown[]
}

const ask = async (url: string, method: string): Promise<Refusal> => {
  const response = await fetch(url, { method, headers: { accept: 'application/json' } })
  const { errors = [] } = (await response.json()) as { errors?: { code: unknown }[] }
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    allow: response.headers.get('allow'),
    codes: errors.map(({ code }) => code),
  }
}

const refused =
  (status: number, allow: string | null = null) =>
  (answer: Refusal): boolean =>
    answer.status === status &&
    answer.codes.length > 0 &&
    answer.codes.every((code) => code === status) &&
    answer.requestId !== null &&
    answer.allow === allow

/** What the gateway itself must answer, which only a deployment can show. */
export const refusals = (baseUrl: string): Step[] => [
  {
    operation: 'no credentials: 401',
    call: () => ask(`${baseUrl}/api/products`, 'GET'),
    holds: refused(401),
  },
  {
    operation: 'no such route: 404',
    call: () => ask(`${baseUrl}/api/nothing`, 'GET'),
    holds: refused(404),
  },
  {
    operation: 'no such method: 405',
    call: () => ask(`${baseUrl}/api/products`, 'DELETE'),
    holds: refused(405, 'GET, POST'),
  },
]
