import { readFileSync } from 'node:fs'
import { plantedFaults } from './histories/planted.ts'
import { productFiles, readSource, sourceFiles } from './support/sources.ts'

// biome.json has the rules that a linter can check: the form of file names, skipped tests, and where the
// environment is read.

it('reads the time of deployed code only in shared/clock.ts', () => {
  const deployedFiles = productFiles.filter((file) =>
    /^(functions|shared\/(http|store|resources|contract|pagination))\//.test(file),
  )
  expect(deployedFiles.filter((file) => /Date\.now\(|new Date\(\)/.test(readSource(file)))).toEqual([])
})

it('names no file or folder by a word that says nothing about its content', () => {
  const vague = sourceFiles.filter((file) => /(^|\/)(utils?|helpers?|common|managers?|misc)\b/.test(file))
  expect(vague).toEqual([])
})

it('exports a function or a value only if another file uses it', () => {
  // The recipes contain the code of their examples.
  const users = sourceFiles.filter((file) => !file.startsWith('test/recipes/'))
  const wordsByFile = new Map(users.map((file) => [file, new Set(readSource(file).match(/\w+/g))]))
  const isUsed = (name: string, exporter: string) =>
    users.some((file) => file !== exporter && wordsByFile.get(file)!.has(name))
  const unused = productFiles
    .filter((file) => !/^(client|functions)\//.test(file))
    .flatMap((file) =>
      [...readSource(file).matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)]
        .filter(([, name]) => !isUsed(name!, file))
        .map(([, name]) => `${file}: ${name}`),
    )
  expect(unused).toEqual([])
})

/** Forms of one thing: in the client, the figures and the console, or in the service and its client. */
const namesOfForms = new Set([
  'Customer',
  'Discount',
  'Invoice',
  'Price',
  'Subscription',
  'Call',
  'Page',
  'handler',
])

it('exports a name from one file, so that it has one meaning', () => {
  // These files contain the code of modules that they write.
  const writers = new Set([
    'lib/bundle/document.ts',
    'lib/bundle/validators.ts',
    'shared/cold-start/left-out.ts',
    'tools/package/client-source.ts',
  ])
  const exporters = productFiles
    .filter((file) => !writers.has(file))
    .flatMap((file) => {
      const declarations = readSource(file).matchAll(
        /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
      )
      return [...new Set([...declarations].map(([, name]) => name!))].map((name) => ({ name, file }))
    })
  const ofSeveralFiles = [...Map.groupBy(exporters, ({ name }) => name)].filter(
    ([name, files]) => files.length > 1 && !namesOfForms.has(name),
  )
  expect(
    ofSeveralFiles.map(([name, files]) => `${name}: ${files.map(({ file }) => file).join(', ')}`),
  ).toEqual([])
})

it('has no file with a note of unfinished work, or without the checks of the compiler', () => {
  // The words are put together here, because this file must not contain them.
  const marks = new RegExp(['@ts-' + 'nocheck', 'TO' + 'DO', 'FIX' + 'ME'].join('|'))
  expect(sourceFiles.filter((file) => marks.test(readSource(file)))).toEqual([])
})

const workflows = ['check', 'release']
  .map((name) => readFileSync(`.github/workflows/${name}.yml`, 'utf8'))
  .join('')

it('the workflows pin every action to a commit', () => {
  const versions = [...workflows.matchAll(/uses: [\w-]+\/[^@\n]+@(.*)/g)].map(([, version]) => version!)
  expect(versions.filter((version) => !/^[0-9a-f]{40} # v/.test(version))).toEqual([])
  expect(versions).not.toEqual([])
})

it('only the deployment can ask for credentials, and it runs no install scripts', () => {
  const [otherJobs = '', deployment = ''] = workflows.split('  deploy:')
  expect(otherJobs).not.toContain('id-token')
  expect(deployment).toContain('id-token: write')
  expect(deployment.match(/npm ci.*/g)).toEqual(['npm ci --ignore-scripts'])
})

describe('the planted faults of test/histories/planted.txt', () => {
  it.each(plantedFaults)('can be planted into the sources: $name', ({ file, from }) => {
    const occurrences = readFileSync(file, 'utf8').split(from).length - 1
    expect(occurrences).toBe(1)
  })
})
