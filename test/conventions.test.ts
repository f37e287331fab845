import { files, source, textOf } from './support/sources.ts'

// biome.json has the rules that a linter knows: names of files, skipped tests, where the environment is read.

it('only shared/clock.ts reads the clock', () => {
  const deployed = source.filter((file) =>
    /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
  )
  expect(deployed.filter((file) => /Date\.now\(|new Date\(\)/.test(textOf(file)))).toEqual([])
})

it('names every file and folder by what is in it', () => {
  const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))
  expect(vague).toEqual([])
})

it('leaves no work undone, and disables the compiler in no file', () => {
  const marks = new RegExp(['@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
  expect(files.filter((file) => marks.test(textOf(file)))).toEqual([])
})
