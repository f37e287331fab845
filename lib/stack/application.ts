import { App, type AppProps } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }

/** Returns a CDK app with all feature flags that the library recommends for a new one. */
export const application = (props: AppProps = {}): App => new App({ ...props, context: flags })
