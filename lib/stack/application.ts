import { App, type AppProps } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
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
