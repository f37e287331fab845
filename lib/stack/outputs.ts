/** The stack output with the ARN of the alarm that rolls back a deployment. */
export const ROLLBACK_ALARM = 'RollbackAlarm'
