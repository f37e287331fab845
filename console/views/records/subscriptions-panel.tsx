import type { Column, Row } from '../../lists/columns.ts'
import type { Sums } from '../../lists/list-sums.ts'
import { Panel } from '../../parts/panel.tsx'
import { ListTable } from '../../tables/list-table.tsx'

interface SubscriptionsPanelProps {
  readonly title: string
  readonly note: string
  readonly subscriptions: {
    readonly columns: readonly Column[]
    readonly rows: readonly Row[]
    readonly sums: readonly Sums[]
  }
  /** What is said if there are none. */
  readonly none: string
}

/** The subscriptions that have a plan or a discount now. */
export const SubscriptionsPanel = ({ title, note, subscriptions, none }: SubscriptionsPanelProps) => (
  <Panel title={title} note={note}>
    {subscriptions.rows.length === 0 ? (
      <p class="quiet">{none}</p>
    ) : (
      <ListTable label="Subscriptions" noun="subscription" {...subscriptions} isGrouped />
    )}
  </Panel>
)
