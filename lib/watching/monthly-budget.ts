import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/** Mail when the account has spent most of a month's budget, and when the month is going to cost more than that. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, email }: NonNullable<StageSettings['budget']>) {
    super(scope, id)
    const mail = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    })
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [mail('ACTUAL', 80), mail('FORECASTED', 100)],
    })
  }
}
