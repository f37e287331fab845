import type { ComponentChildren } from 'preact'

export interface Card<Shown> {
  readonly width: 'full' | 'two-thirds' | 'third'
  /** Returns its content; undefined if the figures have none. */
  readonly content: (figures: Shown) => ComponentChildren
}

interface CardsProps<Shown> {
  readonly cards: readonly Card<Shown>[]
  readonly figures: Shown
}

export const Cards = <Shown,>({ cards, figures }: CardsProps<Shown>) => (
  <div class="boards">
    {cards.map(({ width, content }, index) => {
      const shown = content(figures)
      return (
        shown && (
          <div key={index} class={width}>
            {shown}
          </div>
        )
      )
    })}
  </div>
)
