import { linkTo } from './address.ts'
import type { Ranked } from './copy/overview.ts'
import { Disclosure } from './disclosure.tsx'
import { CsvButton } from './download.tsx'
import { csv } from './text/csv.ts'
import { beginning, money } from './text/format.ts'

interface RankingProps {
  readonly about: string
  readonly range: string
  readonly currency: string
  readonly ranked: Ranked
  readonly link?: (key: string) => string
  readonly all?: string
  readonly children: string
}

const SHOWN = 8

/** The greatest amounts in one currency, each with a bar below. */
export const Ranking = ({
  about,
  range,
  currency,
  ranked: { rows, count },
  link,
  all,
  children,
}: RankingProps) => {
  const title = `${about}, ${range}`
  const greatest = rows[0]?.amount ?? 0
  const text = () =>
    csv(
      [title, 'Id', 'Currency', 'Amount'],
      rows.map(({ key, name, amount }) => [name, key, currency, { amount, currency }]),
    )
  return (
    <section class="card ranking">
      <header>
        <h2>{title}</h2>
        {count > 0 && <CsvButton name={title} text={text} />}
      </header>
      <ol>
        {rows.slice(0, SHOWN).map(({ key, name, amount }) => (
          <li key={key}>
            {link ? (
              <a href={link(key)}>
                <bdi>{beginning(name, 60)}</bdi>
              </a>
            ) : (
              <bdi>{beginning(name, 60)}</bdi>
            )}
            <span>{money(amount, currency)}</span>
            <meter min={0} max={Math.max(greatest, 1)} value={Math.max(amount, 0)} aria-hidden="true" />
          </li>
        ))}
      </ol>
      {count === 0 && <p class="quiet">None.</p>}
      {count > SHOWN &&
        (all ? <a href={all}>All customers, by what they were ever invoiced</a> : `${count - SHOWN} more`)}
      <Disclosure about={about} summary="How this is counted">
        <p class="formula">{children}</p>
      </Disclosure>
    </section>
  )
}

/** Returns the link to the list of customers, by what they were invoiced. */
export const allCustomers = (currency: string): string =>
  linkTo(['customers'], { currency, sort: '-invoiced' })
