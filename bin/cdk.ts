import { bundleFunctions } from '../lib/bundle/bundle.ts'
import { addStack, createApp } from '../lib/stack/billing-stack.ts'
import { addChecks } from '../lib/stack/checks.ts'
import { commitOf } from '../lib/stack/commit.ts'
import { type StageSettings, stageSettings } from '../lib/stages.ts'
import type { Deployable } from '../shared/contract/deployable.ts'

/** Without a stage of that name, prints one line and exits. */
const settingsOf = (stage: string): StageSettings => {
  try {
    return stageSettings(stage)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

const app = createApp()
const stage: string = app.node.tryGetContext('stage') ?? 'dev'
const settings = settingsOf(stage)
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
