import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { launcher } from '../../tools/package/manifest.ts'

const text = launcher('billing-data-api', './program.cjs')

const runOn = (node: string) => {
  const [loaded, said]: [string[], string[]] = [[], []]
  const process = { versions: { node }, exitCode: 0 }
  const console = { error: (line: string) => said.push(line) }
  runInNewContext(text, { process, console, require: (module: string) => loaded.push(module) })
  return { loaded, said, code: process.exitCode }
}

describe("the package's executable", () => {
  it.each(['22.2.0', '22.10.1', '23.0.0', '100.0.0'])('runs the program on Node %s', (node) => {
    expect(runOn(node)).toEqual({ loaded: ['./program.cjs'], said: [], code: 0 })
  })

  it.each(['0.10.48', '4.9.1', '20.15.0', '22.1.9'])('refuses Node %s in one line', (node) => {
    const said = [`billing-data-api needs Node 22.2 or newer (this is Node ${node})`]
    expect(runOn(node)).toEqual({ loaded: [], said, code: 1 })
  })

  it('contains only ES5, so that every Node can run it', () => {
    const printed = (target: string) => transformSync(text, { target }).code
    expect(printed('es5')).toBe(printed('esnext'))
  })
})
