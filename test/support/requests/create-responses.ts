import type { ApiResponse } from './service.ts'

/** Returns whether a response says that an earlier request has recorded the entity. */
export const isReplay = ({ headers }: ApiResponse): boolean => headers.get('idempotent-replayed') === 'true'

/** Expects a create to succeed as a replay of an earlier one. */
export const expectReplay = (response: ApiResponse): void => {
  const { status, details } = response
  expect({ status, details, isReplay: isReplay(response) }).toEqual({
    status: 200,
    details: [],
    isReplay: true,
  })
}

/** Expects a create with `on_conflict=update` to succeed with this outcome. */
export const expectOutcome = (
  { status, headers, details }: ApiResponse,
  outcome: 'created' | 'updated' | 'unchanged',
): void =>
  expect({ status, details, outcome: headers.get('create-outcome') }).toEqual({
    status: 200,
    details: [],
    outcome,
  })
