import type { ComponentChildren } from 'preact'
import { CreationForm } from '../../forms/creation.tsx'
import { type Address, linkTo } from '../../frame/address.ts'
import type { DocumentedResource } from '../../frame/contract.ts'
import type { AnswerState } from '../../frame/copy-context.tsx'
import { CurrencyChips } from '../../parts/choices.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { plainName } from '../../text/format.ts'

export interface CatalogueProps {
  readonly resource: DocumentedResource
  readonly query: Address['query']
}

interface CatalogueAnswer {
  readonly currency: string
  readonly currencies: readonly string[]
  readonly rows: readonly unknown[]
}

interface CatalogueViewProps<Shown extends CatalogueAnswer> extends CatalogueProps {
  readonly result: AnswerState<Shown>
  readonly note: string
  readonly children: (answer: Shown) => ComponentChildren
}

/** A list of the catalogue with what each record brings or costs in one currency, which the address chooses. */
export const CatalogueView = <Shown extends CatalogueAnswer>(props: CatalogueViewProps<Shown>) => {
  const { resource, query, result, note, children } = props
  const { plural } = resource
  const { answer, pending, error } = result
  return (
    <main>
      <header class="title">
        <Heading name={plainName(plural)} />
        {answer && (
          <div class="chips">
            <CurrencyChips
              currencies={answer.currencies}
              chosen={answer.currency}
              hrefFor={(currency) => linkTo([plural], { ...query, currency })}
            />
          </div>
        )}
        <CreationForm resource={resource} />
      </header>
      {error !== undefined && <Problem error={error} />}
      {answer && (
        <div class="stack" aria-busy={pending}>
          {answer.rows.length > 0 ? (
            <div class="card">{children(answer)}</div>
          ) : (
            <p class="empty">{`There are no ${plural}.`}</p>
          )}
          <p class="note">{note}</p>
        </div>
      )}
    </main>
  )
}
