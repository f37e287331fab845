import { Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/** CloudWatch for alarms, AWS Backup for the jobs of the operator's own plan. */
const publishers = ['backup', 'cloudwatch']

/** It does not use the operator's key, so that emails arrive even if that key is disabled. */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', {
      displayName: 'Billing Data API alarms',
      enforceSSL: true,
    })
    // The topic's policy replaces the default one, which allows CloudWatch of the same account to publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: publishers.map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    if (settings.alarmEmail) this.topic.addSubscription(new EmailSubscription(settings.alarmEmail))
  }
}
