import { basename } from 'node:path'
import { files, source, textOf } from './support/sources.ts'

it('only configuration, executables and local settings read the environment', () => {
  const reading = source.filter((file) => /process\.env\b/.test(textOf(file)))
  const mayRead = /^(shared\/config\.ts|bin\/|bench\/|tools\/local\/|tools\/testing\/)/
  expect(reading.filter((file) => !mayRead.test(file))).toEqual([])
})

it('only shared/clock.ts reads the clock', () => {
  const deployed = source.filter((file) =>
    /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
  )
  expect(deployed.filter((file) => /Date\.now\(|new Date\(\)/.test(textOf(file)))).toEqual([])
})

it('no file is longer than 300 lines', () => {
  const long = files.filter((file) => file !== 'client/generated.ts' && textOf(file).split('\n').length > 301)
  expect(long).toEqual([])
})

it('file names are kebab-case and specific', () => {
  const odd = files.filter(
    (file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.spec|\.config|\.d)?\.(tsx?|js)$/.test(basename(file)),
  )
  expect(odd).toEqual([])
  expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))).toEqual([])
})

it('no compiler check is disabled, and no work is left undone', () => {
  const marks = new RegExp(['@ts-' + 'ignore', '@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
  expect(files.filter((file) => marks.test(textOf(file)))).toEqual([])
})

it('no test is skipped or focused', () => {
  const skipping = /\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/
  expect(files.filter((file) => file.startsWith('test/') && skipping.test(textOf(file)))).toEqual([])
})
