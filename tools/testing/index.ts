export type {
  Fault,
  InitialState,
  OperationId,
  Seed,
  TestServiceOptions,
} from './options.ts'
export { createTestService, type TestService } from './service.ts'
