export { createTestService, type TestService } from './service.ts'
export type {
  InitialState as Beginning,
  OperationId,
  ScriptedFault as Fault,
  Seed,
  TestServiceOptions,
} from './settings.ts'
