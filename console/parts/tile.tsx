import type { ComponentChildren } from 'preact'
import { Sparkline } from './sparkline.tsx'
import './tile.css'

interface TileProps {
  readonly title: string
  readonly value: string
  /** The values of the sparkline; without them, there is none. */
  readonly values?: readonly (number | null)[]
  /** Whether it is wider than other tiles, for the most important figure. */
  readonly isLarge?: boolean
  /** The values with which to compare the figure. */
  readonly children: ComponentChildren
  /** How the value is counted. */
  readonly explanation?: ComponentChildren
}

/** A figure with its title, what to compare it with, and a line of its values over time. */
export const Tile = ({ title, value, values, isLarge = false, children, explanation }: TileProps) => (
  <section class={`card tile ${isLarge ? 'large' : ''}`}>
    <h2>{title}</h2>
    <p class="big">
      <bdi>{value}</bdi>
    </p>
    <p class="quiet">{children}</p>
    {values && <Sparkline values={values} />}
    {explanation}
  </section>
)
