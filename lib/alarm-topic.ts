import { Validations } from 'aws-cdk-lib'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** Where alarms go; whoever is to know subscribes to it. */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string, { email }: { readonly email: string | undefined }) {
    super(scope, id)
    this.topic = new Topic(this, 'Topic', { displayName: 'Billing Data API alarms', enforceSSL: true })
    if (email)
      Validations.of(this.topic.addSubscription(new EmailSubscription(email))).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason:
          'A letter that does not arrive is not worth a queue that somebody must watch: the dashboard shows every alarm.',
      })
  }
}
