import { App, type AppProps, CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib'
import flags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import type { Construct } from 'constructs'
import { deployables } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { BillingTable } from '../billing-table.ts'
import { ApiFunction } from '../functions/api-function.ts'
import { BillingApi } from '../gateway/api.ts'
import { ApiDomain, baseUrls } from '../gateway/domain.ts'
import { Firewall } from '../gateway/firewall.ts'
import { AlarmTopic } from '../monitoring/alarm-topic.ts'
import { Alarms } from '../monitoring/alarms.ts'
import { BillingDashboard } from '../monitoring/dashboard.ts'
import { MonthlyBudget } from '../monitoring/monthly-budget.ts'
import { SavedQueries } from '../monitoring/queries.ts'
import { ResponseBytes } from '../monitoring/response-bytes.ts'
import { ResponseCounts } from '../monitoring/response-counts.ts'
import type { StageSettings } from '../stages.ts'
import { ChangeEvents } from './change-events.ts'
import { EVENT_BUS, EVENT_PIPE, ROLLBACK_ALARM, TABLE_NAME } from './outputs.ts'

export interface BillingStackProps extends StackProps {
  readonly stage: string
  readonly settings: StageSettings
  /**
   * Shown in the stack's outputs. Functions do not contain it, so that unchanged code is not published again.
   */
  readonly commit: string
  readonly folderOf: (deployable: Deployable) => string
}

/** Deployable to any account and region. */
export class BillingStack extends Stack {
  constructor(scope: Construct, id: string, props: BillingStackProps) {
    const { stage, settings, commit, folderOf } = props
    super(scope, id, { ...props, tags: settings.tags })
    const tables = new BillingTable(this, 'Billing', settings)
    const { inUse: table } = tables
    const functions = deployables.map(
      (deployable) => new ApiFunction(this, { deployable, folder: folderOf(deployable), tables, settings }),
    )
    const { rest: api, accessLog } = new BillingApi(this, 'Api', { functions, stage, settings })
    const events = settings.events ? new ChangeEvents(this, 'Events', { tables, settings }) : undefined
    const { topic } = new AlarmTopic(this, 'Alarming', settings)
    const responses = new ResponseCounts(this, 'Responses', { accessLog: accessLog.group })
    const readers = functions.filter(({ deployable }) => deployable.throttle === 'read')
    const bytes = new ResponseBytes(this, 'Bytes', { logs: readers.map(({ logs }) => logs) })
    const alarms = new Alarms(this, 'Alarms', {
      api,
      responses,
      bytes,
      table,
      topic,
      firewall: settings.firewall !== false,
      pipe: events?.pipe,
      domain: settings.domain,
    })
    const watched = { api, functions, table, responses }
    const dashboard = new BillingDashboard(this, 'Watching', { ...watched, alarms: alarms.all })
    if (settings.budget) new MonthlyBudget(this, 'Budget', settings.budget)
    const firewall = settings.firewall
      ? new Firewall(this, 'Firewall', { stage: api.deploymentStage, settings, ...settings.firewall })
      : undefined
    new SavedQueries(this, 'Queries', {
      functions: functions.map(({ logs }) => logs),
      gateway: [accessLog.group],
      firewall: firewall?.log ? [firewall.log] : [],
    })
    if (settings.domain) new ApiDomain(this, 'Domain', { api, settings: settings.domain })
    for (const [name, value] of Object.entries(settings.tags)) Tags.of(this).add(name, value)
    for (const { id, description, value } of baseUrls(api, settings.domain))
      this.output(id, description, value)
    this.output('Commit', 'The commit that is deployed', commit)
    this.output(TABLE_NAME, 'The table, for "npm run apps -- … --table"', table.tableName)
    this.output('DashboardUrl', 'The dashboard', dashboard.url)
    this.output(ROLLBACK_ALARM, 'The alarm that rolls back a deployment', alarms.serverErrors.alarmArn)
    if (events) this.output(EVENT_BUS, 'The event bus, for rules', events.bus.eventBusArn)
    if (events?.pipe) this.output(EVENT_PIPE, 'The pipe from the table to the bus', events.pipe)
    this.output('AlarmTopic', 'The alarm topic, to subscribe to', topic.topicArn)
  }

  private output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value })
  }
}

/** The app has all feature flags that the library recommends for a new one. */
export const createApp = (props: AppProps = {}): App => new App({ ...props, context: flags })

export const addStack = (app: App, props: BillingStackProps): BillingStack =>
  new BillingStack(app, `billing-${props.stage}`, {
    ...props,
    description: `Subscription Billing Data API (${props.stage})`,
    terminationProtection: props.settings.table.kept,
  })
