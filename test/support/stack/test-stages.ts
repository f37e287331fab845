import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'aws-cdk-lib'
import { ENTRY_FILE } from '../../../lib/bundle/bundle.ts'
import type { BillingStack } from '../../../lib/stack/billing-stack.ts'
import { addStack, createApp } from '../../../lib/stack/billing-stack.ts'
import { type StageSettings, stageSettings } from '../../../lib/stages.ts'

/** With all settings, also those within others. */
type Every<Settings> = Settings extends object
  ? { readonly [Name in keyof Settings]-?: Every<NonNullable<Settings[Name]>> }
  : Settings

/** A stage that uses every option, unlike the stages in lib/stages.ts. */
export const everyOption: Every<StageSettings> = {
  ...stageSettings('prod'),
  alarmEmail: 'operator@example.org',
  keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/00000000-0000-0000-0000-000000000000',
  budget: { dollars: 500, email: 'operator@example.org' },
  functions: { memoryMb: 512, reserved: 20, reservedForUpdates: 10, provisioned: 2 },
  table: { kept: true, ceiling: { read: 30_000, write: 5_000 }, restored: 1 },
  events: { streamLabel: '2026-01-31T12:00:00.000' },
  domain: {
    name: 'billing.example.org',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/00000000-0000-0000-0000-000000000000',
    hostedZone: { id: 'Z00000000000000000000', name: 'example.org' },
    only: false,
  },
  logs: { days: 365, platform: true },
  tracing: true,
  firewall: { log: true, applicationRate: 50, addressRate: 100 },
  corsOrigin: 'https://app.example.org',
  docs: true,
  console: true,
}

export const COMMIT = '0123456789ab'

interface Deployment {
  readonly stage: string
  readonly settings: StageSettings
  readonly commit?: string
  /** Whether the CDK validates the template, which takes longer than its synthesis. Default: false. */
  readonly validated?: boolean
}

/** Its code never runs. */
export const stackIn = (
  work: string,
  { stage, settings, commit = COMMIT, validated = false }: Deployment,
): { readonly app: App; readonly stack: BillingStack } => {
  const folder = join(work, 'code')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, ENTRY_FILE), '')
  const { stackTraceLimit } = Error
  // The CDK captures the stack of each value, which takes a third of the time, as do files for tools.
  Error.stackTraceLimit = 0
  try {
    const app = createApp({
      outdir: join(work, 'out'),
      builtinCloudFormationValidation: validated,
      treeMetadata: false,
      analyticsReporting: false,
      stackTraces: false,
    })
    return { app, stack: addStack(app, { stage, settings, commit, folderOf: () => folder }) }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
