import type { Answer } from './service.ts'

/** The path that a detail begins with. */
const pathIn = (detail: string): string => detail.split(/ (?:must|is) /)[0] as string

/** The answer is 422 with one entry for each of these places, in any order. */
export const expectInvalid = ({ status, json, details }: Answer, ...paths: string[]): void => {
  expect({ status, paths: details.map(pathIn).sort() }).toEqual({ status: 422, paths: paths.sort() })
  for (const { title } of json.errors) expect(title).toBe('Invalid request')
}
