import { cleanUp, freeSettings, runToEnd, startLocal } from './support/local-process.ts'
import { commandsOf, documentsWithResponses, expectShown } from './support/shown-responses.ts'

/** One local service, on which the commands of all documents run one after the other. */
let env: NodeJS.ProcessEnv
let baseUrl: string
beforeAll(async () => {
  env = await freeSettings()
  baseUrl = (await startLocal(env)).baseUrl
})
afterAll(cleanUp)

it.each(documentsWithResponses)('%s shows the real responses to its commands', async (name, text) => {
  const { code, out, err } = await runToEnd('bash', ['-euc', commandsOf(name, text, baseUrl).join('\n')], env)
  expectShown(out, text)
  const onScreen = [...text.matchAll(/```text\n([^`]*)```/g)].map(([, lines]) => lines).join('')
  expect(err.replaceAll(/\/\S*(?=my-data)/g, '')).toContain(onScreen)
  expect(code).toBe(0)
})
