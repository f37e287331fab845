import type { ApiResponse } from './service.ts'

export const isReplay = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true'

export const expectReplay = (response: ApiResponse): void => {
  const { status, details } = response
  expect({ status, details, isReplay: isReplay(response) }).toEqual({
    status: 200,
    details: [],
    isReplay: true,
  })
}

export const expectOutcome = (
  { status, headers, details }: ApiResponse,
  outcome: 'created' | 'updated' | 'unchanged',
): void =>
  expect({ status, details, outcome: headers.get('create-outcome') }).toEqual({
    status: 200,
    details: [],
    outcome,
  })
