import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'esbuild'

/** A text of a file and its replacement. */
interface PlantedFault {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The faults in `planted.txt`: four lines each. */
export const plantedFaults: readonly PlantedFault[] = readFileSync('test/histories/planted.txt', 'utf8')
  .trim()
  .split('\n\n')
  .map((block) => block.split('\n'))
  .map(([name = '', file = '', from = '', to = '']) => ({ name, file, from: from.slice(2), to: to.slice(2) }))

export const planting = ({ name, file, from, to }: PlantedFault): Plugin => ({
  name: 'planted-fault',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path !== resolve(file)) return undefined
      const source = readFileSync(path, 'utf8')
      if (source.split(from).length !== 2)
        throw new Error(`${file} does not have this text once, to plant "${name}": ${from}`)
      return { contents: source.replace(from, () => to), loader: 'ts' }
    })
  },
})
