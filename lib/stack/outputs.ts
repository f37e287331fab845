/**
 * The names of the stack outputs that a deployment reads: the ARN of the alarm that rolls it back, the ARN of
 * the event bus and the name of its pipe, which a stack without the setting `events` does not have, and the
 * name of the table in use.
 */
export const ROLLBACK_ALARM = 'RollbackAlarm'
export const EVENT_BUS = 'EventBus'
export const EVENT_PIPE = 'EventPipe'
export const TABLE_NAME = 'TableName'
