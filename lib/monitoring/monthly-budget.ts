import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'
import type { StageSettings } from '../stages.ts'

/** Alarms at 80 % of a month's budget, and when the forecast exceeds the budget. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, email }: NonNullable<StageSettings['budget']>) {
    super(scope, id)
    const notification = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    })
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [notification('ACTUAL', 80), notification('FORECASTED', 100)],
    })
  }
}
