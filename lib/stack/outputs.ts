/** The stack output with the ARN of the alarm that rolls back a deployment. */
export const ROLLBACK_ALARM = 'RollbackAlarm'

/** The stack output with the ARN of the bus of events. A stack without the setting `events` has none. */
export const EVENT_BUS = 'EventBus'

/** The stack output with the name of the pipe that puts events on the bus, if there is one. */
export const EVENT_PIPE = 'EventPipe'

/** The stack output with the name of the table in use. */
export const TABLE_NAME = 'TableName'
