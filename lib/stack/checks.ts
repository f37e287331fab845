import { Annotations, type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { BillingStackProps } from './billing-stack.ts'

/** Adds the checks of cdk-nag to the synthesis, and a warning if a stage that keeps its data has no address for alarms or costs. */
export const addChecks = (
  app: App,
  stack: Stack,
  { stage, settings }: Pick<BillingStackProps, 'stage' | 'settings'>,
): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  if (settings.table.kept && !settings.alarmEmail && !settings.budget)
    Annotations.of(stack).addWarningV2(
      'billing-data-api:nobody-is-told',
      `The stage "${stage}" tells nobody of alarms or costs; set alarmEmail or budget in lib/stages.ts.`,
    )
}
