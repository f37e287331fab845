import { globSync, readFileSync } from 'node:fs'
import { accessOptions } from '../../../tools/cli/access.ts'
import { parseOptions } from '../../../tools/cli/options.ts'
import { importOptions, settingsFrom } from '../../../tools/transfer/import/import-command.ts'
import { recipeArguments } from '../../../tools/transfer/recipes/recipes.ts'

const read = new Set<string | symbol>()
const { values } = parseOptions([], importOptions)
const watchedValues = new Proxy(values, {
  get: (target, name) => {
    read.add(name)
    return Reflect.get(target, name)
  },
})
recipeArguments(watchedValues)
settingsFrom(['customers.csv'], watchedValues)

const guide = readFileSync('docs/data.md', 'utf8')
const tests = globSync('test/transfer/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

it.each(Object.keys(importOptions).filter((name) => !Object.hasOwn(accessOptions, name)))(
  'an import reads the option --%s, which docs/data.md explains and a test uses',
  (name) => {
    const mention = new RegExp(`--${name}\\b`)
    const isExplained = mention.test(guide)
    const isTested = mention.test(tests)
    expect({ isRead: read.has(name), isExplained, isTested }).toEqual({
      isRead: true,
      isExplained: true,
      isTested: true,
    })
  },
)
