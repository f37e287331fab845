import type { ApiResponse } from './service.ts'

/** Returns the field path at the start of an error detail. */
export const fieldPathIn = (detail: string): string => detail.split(/ (?:must|is) /)[0] as string

/** Expects a 422 with one error for each of these paths, in any order. */
export const expectInvalid = ({ status, json, details }: ApiResponse, ...paths: string[]): void => {
  expect({ status, paths: details.map(fieldPathIn).sort() }).toEqual({ status: 422, paths: paths.sort() })
  for (const { title } of json.errors) expect(title).toBe('Invalid request')
}
