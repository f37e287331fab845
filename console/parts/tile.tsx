import type { ComponentChildren } from 'preact'
import { DescribedTerm } from './described-term.tsx'
import { Explanation } from './explanation.tsx'
import { Sparkline } from './sparkline.tsx'
import './tile.css'

export interface TileChange {
  readonly text: string
  /** Whether the change is welcome; undefined if it is neither welcome nor unwelcome. */
  readonly isGood?: boolean | undefined
}

export interface TileDetail {
  readonly term: string
  readonly value: string
  readonly link?: string
}

/** A figure with its change and a line of its values over time. Its popover has the details and how it is counted. */
export interface TileData {
  readonly title: string
  readonly value: string
  readonly changes?: readonly TileChange[]
  /** The values of the line; null where there is no value. */
  readonly values?: readonly (number | null)[]
  readonly details?: readonly TileDetail[]
  readonly explanation?: ComponentChildren
  readonly rule?: string
}

const classOfChange = ({ isGood }: TileChange): string => {
  if (isGood === undefined) return ''
  return isGood ? 'good' : 'bad'
}

const Details = ({ details }: { readonly details: readonly TileDetail[] }) => (
  <dl class="facts">
    {details.map(({ term, value, link }) => (
      <DescribedTerm key={term} term={term}>
        {link ? (
          <a class="link" href={link}>
            {value}
          </a>
        ) : (
          value
        )}
      </DescribedTerm>
    ))}
  </dl>
)

const Tile = ({ title, value, changes = [], values, details, explanation, rule }: TileData) => (
  <section class="tile">
    <header>
      <h2 title={title}>{title}</h2>
      {(details || explanation) && (
        <Explanation about={title} rule={rule}>
          {details && <Details details={details} />}
          {explanation && <p>{explanation}</p>}
        </Explanation>
      )}
    </header>
    <p class="big">
      <bdi>{value}</bdi>
    </p>
    <p class="changes">
      {changes.map((change) => (
        <span key={change.text} class={classOfChange(change)}>
          {change.text}
        </span>
      ))}
    </p>
    {values && <Sparkline values={values} />}
  </section>
)

export const Tiles = ({ tiles }: { readonly tiles: readonly TileData[] }) => (
  <div class="tiles">
    {tiles.map((tile) => (
      <Tile key={tile.title} {...tile} />
    ))}
  </div>
)

/** The places of a number of tiles, which keep the layout of a page until its figures are computed. */
export const TilesPlaceholder = ({ count }: { readonly count: number }) => (
  <div class="tiles" aria-hidden="true">
    {Array.from({ length: count }, (_, index) => (
      <div key={index} class="tile placeholder" />
    ))}
  </div>
)
