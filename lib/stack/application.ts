import { App, type AppProps } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }

/** A CDK application with the library's own advice for a new one, instead of the ways of its first versions. */
export const application = (props: AppProps = {}): App => new App({ ...props, context: flags })
