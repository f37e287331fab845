/** A deployment reads these outputs. A stack without the setting `events` has neither bus nor pipe. */
export const ROLLBACK_ALARM = 'RollbackAlarm'
export const EVENT_BUS = 'EventBus'
export const EVENT_PIPE = 'EventPipe'
export const TABLE_NAME = 'TableName'
