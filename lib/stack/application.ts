import { Annotations, App, type AppProps, Validations } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { BillingStack, type BillingStackProps } from './billing-stack.ts'

/** Returns a CDK app with all feature flags that the library recommends for a new one. */
export const application = (props: AppProps = {}): App => new App({ ...props, context: flags })

/** Adds the stack of a stage to an app. */
export const addStack = (app: App, props: BillingStackProps): BillingStack =>
  new BillingStack(app, `billing-${props.stage}`, {
    ...props,
    description: `Subscription Billing Data API (${props.stage})`,
    terminationProtection: props.settings.table.kept,
  })

/** Adds the checks of cdk-nag to the synthesis, and a warning if a stage that keeps its data has no address for alarms or costs. */
export const addChecks = (app: App, stack: BillingStack, { stage, settings }: BillingStackProps): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  if (settings.table.kept && !settings.alarmEmail && !settings.budget)
    Annotations.of(stack).addWarningV2(
      'billing-data-api:nobody-is-told',
      `The stage "${stage}" tells nobody of alarms or costs; set alarmEmail or budget in lib/stages.ts.`,
    )
}
