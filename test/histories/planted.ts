import { readFileSync } from 'node:fs'

/** A fault in the service that the judge must find: a text of a file and what replaces it. */
export interface PlantedFault {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Returns the faults in `planted.txt`: four lines each. */
export const plantedFaults = (): PlantedFault[] =>
  readFileSync('test/histories/planted.txt', 'utf8')
    .trim()
    .split('\n\n')
    .map((block) => block.split('\n'))
    .map(([name = '', file = '', from = '', to = '']) => ({
      name,
      file,
      from: from.slice(2),
      to: to.slice(2),
    }))
