import { basename } from 'node:path'
import { files, source, textOf } from './support/sources.ts'

describe('where things may stand', () => {
  it('the environment is read by configuration, executables and local settings only', () => {
    const reading = source.filter((file) => /process\.env\b/.test(textOf(file)))
    const mayRead = /^(shared\/config\.ts|bin\/|bench\/|tools\/local\/|tools\/testing\/)/
    expect(reading.filter((file) => !mayRead.test(file))).toEqual([])
  })

  it('the clock is read in one place', () => {
    const deployed = source.filter((file) =>
      /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
    )
    expect(deployed.filter((file) => /Date\.now\(|new Date\(\)/.test(textOf(file)))).toEqual([])
  })

  it('no file is longer than 200 lines', () => {
    const long = files.filter(
      (file) => file !== 'client/generated.ts' && textOf(file).split('\n').length > 201,
    )
    expect(long).toEqual([])
  })

  it('files have names of their own, in kebab-case', () => {
    const odd = files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|js)$/.test(basename(file)))
    expect(odd).toEqual([])
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))).toEqual([])
  })

  it('no check of the compiler is switched off, and nothing is left to do', () => {
    const marks = new RegExp(['@ts-' + 'ignore', '@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
    expect(files.filter((file) => marks.test(textOf(file)))).toEqual([])
  })

  it('no test is skipped or alone', () => {
    const skipping = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/
    expect(files.filter((file) => file.startsWith('test/') && skipping.test(textOf(file)))).toEqual([])
  })
})
