import type { Construct } from 'constructs'
import { documentRoute } from '../../shared/openapi/servers.ts'
import type { StageSettings } from '../stages.ts'
import { ApiFunction, type Served } from './api-function.ts'

/** The route of the API's own description: no endpoint, and no key is asked for. */
export const servedDocument: Served = {
  id: 'openapi.retrieve',
  ...documentRoute,
  summary: 'The OpenAPI document',
}

/** The function that serves the description of the API; it reaches nothing. */
export class DocumentFunction extends ApiFunction {
  constructor(
    scope: Construct,
    props: { readonly folder: string; readonly settings: StageSettings; readonly commit: string },
  ) {
    super(scope, { ...props, served: servedDocument, statements: [], environment: {} })
  }
}
