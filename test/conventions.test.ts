import { productFiles, readSource, sourceFiles } from './support/sources.ts'

// biome.json has the rules that a linter knows: names of files, skipped tests, where the environment is read.

it('only shared/clock.ts reads the clock', () => {
  const deployed = productFiles.filter((file) =>
    /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
  )
  expect(deployed.filter((file) => /Date\.now\(|new Date\(\)/.test(readSource(file)))).toEqual([])
})

it('names every file and folder by what is in it', () => {
  const vague = sourceFiles.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))
  expect(vague).toEqual([])
})

it('leaves no work undone, and disables the compiler in no file', () => {
  const marks = new RegExp(['@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
  expect(sourceFiles.filter((file) => marks.test(readSource(file)))).toEqual([])
})
