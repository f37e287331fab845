import { bundleFunctions } from '../lib/bundle/bundle.ts'
import { addStack, application } from '../lib/stack/application.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { commitOf } from '../lib/stack/commit.ts'
import { stageSettings } from '../lib/stages.ts'
import type { Deployable } from '../shared/contract/deployable.ts'

/** Reads a context value of `-c`. If it is invalid, prints one line and exits. */
const contextValue = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

const app = application()
const stage: string = app.node.tryGetContext('stage') ?? 'dev'
const settings = contextValue(() => stageSettings(stage))
const outDir = 'dist/functions'
const bundles = await bundleFunctions(outDir)
const folders = new Map(bundles.map(({ deployable, folder }) => [deployable.id, folder]))
const props = {
  stage,
  settings,
  commit: commitOf('.'),
  folderOf: ({ id }: Deployable) => folders.get(id) as string,
}
addChecks(app, addStack(app, props), props)
app.synth()
