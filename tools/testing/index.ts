export type { Fault, OperationId } from './faults.ts'
export { createTestService, type TestService } from './service.ts'
export type { Beginning, Seed, TestServiceOptions } from './settings.ts'
