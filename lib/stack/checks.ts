import { Annotations, type App, type Stack, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { table } from '../../shared/store/table.ts'
import type { BillingStackProps } from './billing-stack.ts'

const UNTRACED = 'X-Ray would keep the URLs of requests and the addresses of callers for 30 days.'
const RESTORED =
  'Roles cover the own table and every table restored from it, so that a restore does not change permissions.'

/** The rules of cdk-nag that the stack does not follow in one of its settings, with the reasons. */
const exceptions: Readonly<Record<string, string>> = {
  'AwsSolutions-APIG2':
    'Each function validates its request and reports all faults at once in the envelope of the API.',
  'AwsSolutions-APIG3': 'A stage may have no firewall. Throttles of each method still bound the requests.',
  'AwsSolutions-APIG4': 'Each function first authenticates its caller by API key and application id.',
  'AwsSolutions-COG4':
    'Callers are applications with API keys, which the functions check. There are no users for a user pool.',
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'API Gateway logs with one role per account and region. AWS maintains this policy for it.',
  'AwsSolutions-IAM5[Resource::*]':
    'X-Ray accepts trace segments only on "*". DynamoDB uses the key of a table that the caller may access.',
  ...Object.fromEntries(
    ['', ...table.indexes.map(({ name }) => `/index/${name}`)].map((part) => [
      `AwsSolutions-IAM5[Resource::<BillingTableA07FAB52.Arn>-restored-*${part}]`,
      RESTORED,
    ]),
  ),
  'Serverless-APIGWXrayEnabled': UNTRACED,
  'Serverless-LambdaTracing': UNTRACED,
  'Serverless-LambdaDLQ':
    'Only the gateway invokes a function, synchronously. A dead-letter queue receives asynchronous invocations.',
  'Serverless-SNSRedrivePolicy':
    'The dashboard shows every alarm, so a lost email does not justify a queue that somebody must watch.',
}

/** Also adds a warning if a stage that keeps its data has no address for alarms or costs. */
export const addChecks = (
  app: App,
  stack: Stack,
  { stage, settings }: Pick<BillingStackProps, 'stage' | 'settings'>,
): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app))
  Validations.of(stack).acknowledge(...Object.entries(exceptions).map(([id, reason]) => ({ id, reason })))
  if (settings.table.kept && !settings.alarmEmail && !settings.budget)
    Annotations.of(stack).addWarningV2(
      'billing-data-api:nobody-is-told',
      `The stage "${stage}" reports alarms and costs to nobody; set alarmEmail or budget in lib/stages.ts.`,
    )
}
