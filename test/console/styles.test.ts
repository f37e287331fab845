import { readdirSync, readFileSync } from 'node:fs'
import { sourceFiles } from '../support/sources.ts'

const TOKENS = 'console/tokens.css'

/** The style sheets of the console. Those of the guides belong to another page, which has tokens of its own. */
const sheets = readdirSync('console', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css') && !file.startsWith('guides/'))
  .map((file) => `console/${file}`)

/** Returns the declarations of a style sheet, each as `property: value`. */
const declarationsOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(/[;{}]/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /^[-\w]+: \S/.test(part))

const declarations = sheets.filter((file) => file !== TOKENS).flatMap(declarationsOf)
const declared = new Set(declarationsOf(TOKENS).flatMap((declaration) => /^--[-\w]+/.exec(declaration) ?? []))

/** Returns the declarations of some properties whose value does not match. */
const offending = (properties: RegExp, allowed: RegExp): string[] =>
  declarations.filter((declaration) => {
    const [property = '', value = ''] = declaration.split(/: (.*)/)
    return properties.test(property) && !allowed.test(value)
  })

const LENGTH = String.raw`(?:-?(?:0|1px|2px|1[0-9]mm|auto|inherit)|var\(--[-\w]+\)|calc\(.*var\(--.*\)|min\(.*var\(--.*\)|max\(.*var\(--.*\))`

describe('the styles of the console', () => {
  it('have no colour outside of the tokens', () => {
    const colours = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|light-dark)\(/i
    expect(sheets).toContain(TOKENS)
    expect(declarations.filter((declaration) => colours.test(declaration))).toEqual([])
  })

  it('have no size of type outside of the tokens, which have five', () => {
    const sizes = /^(?:inherit|var\(--(?:label|body|total|title|figure)\).*)$/
    expect(offending(/^font(?:-size)?$/, new RegExp(`${sizes.source}|^inherit$`))).toEqual([])
  })

  // Margins of paper are in millimetres.
  it('have no distance outside of the tokens, which are steps of 4 pixels', () => {
    const distances = new RegExp(`^(?:${LENGTH}\\s*)+$`)
    expect(offending(/^(?:padding|margin|gap|row-gap|column-gap)(?:-|$)/, distances)).toEqual([])
  })

  it('use only tokens that exist, or that an element sets itself', () => {
    const own = new Set(declarations.flatMap((declaration) => /^--[-\w]+/.exec(declaration) ?? []))
    const used = declarations.flatMap((declaration) =>
      [...declaration.matchAll(/var\((--[-\w]+)/g)].map(([, name]) => name!),
    )
    const setByElement = new Set(['--distance'])
    const unknown = used.filter((name) => !declared.has(name) && !own.has(name) && !setByElement.has(name))
    expect(unknown).toEqual([])
  })

  it('take the colours of series from the tokens that exist', () => {
    const named = sourceFiles
      .filter((file) => file.startsWith('console/charts/'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/'(series-\w+)'/g)].map(([, name]) => `--${name}`),
      )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !declared.has(name))).toEqual([])
  })
})
