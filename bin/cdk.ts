import { Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { bundleFunctions } from '../lib/bundle/bundle.ts'
import { application } from '../lib/stack/application.ts'
import { BillingStack } from '../lib/stack/billing-stack.ts'
import { commitOf } from '../lib/stack/commit.ts'
import { stageSettings } from '../lib/stages.ts'

/** Reads a context value given with `-c`. Prints one line and ends the program if it is invalid. */
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
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
new BillingStack(app, `billing-${stage}`, {
  stage,
  settings,
  commit: commitOf('.'),
  description: `Subscription Billing Data API (${stage})`,
  terminationProtection: settings.table.kept,
  folderOf: ({ id }) => folders.get(id) as string,
})
app.synth()
