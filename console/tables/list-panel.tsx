import type { ComponentProps } from 'preact'
import { Panel } from '../parts/panel.tsx'
import { ListTable } from './list-table.tsx'

interface ListPanelProps extends Omit<ComponentProps<typeof ListTable>, 'label'> {
  readonly title: string
  readonly note?: string
  /** What is said without rows. */
  readonly none?: string
}

/** Rows of the copy in a panel. */
export const ListPanel = ({ title, note, none, ...table }: ListPanelProps) => (
  <Panel title={title} note={note}>
    {table.rows.length > 0 ? <ListTable label={title} {...table} /> : <p class="quiet">{none}</p>}
  </Panel>
)
