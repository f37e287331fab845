import { Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** Where alarms go; whoever is to know subscribes to it. */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string, { email }: { readonly email: string | undefined }) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', { displayName: 'Billing Data API alarms', enforceSSL: true })
    // A policy of its own replaces the one by which CloudWatch of the same account might publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    if (email)
      Validations.of(this.topic.addSubscription(new EmailSubscription(email))).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason:
          'A letter that does not arrive is not worth a queue that somebody must watch: the dashboard shows every alarm.',
      })
  }
}
