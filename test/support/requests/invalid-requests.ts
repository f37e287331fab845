import type { ApiResponse } from './service.ts'

export const fieldPathIn = (detail: string): string => detail.split(/ (?:must|is) /)[0] as string

/** One error for each path, in any order. */
export const expectInvalid = ({ status, json, details }: ApiResponse, ...paths: string[]): void => {
  expect({ status, paths: details.map(fieldPathIn).sort() }).toEqual({ status: 422, paths: paths.sort() })
  for (const { title } of json.errors) expect(title).toBe('Invalid request')
}
