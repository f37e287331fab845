import { costOf, type Usage } from './measure.ts'

const money = (value: number): string => value.toFixed(2)
const number = (value: number): string => String(Math.round(value * 10) / 10)

/** Returns the first columns of a row, which are measured. */
export const measuredColumns = ({ operation, readUnits, writeUnits, databaseCalls }: Usage): string =>
  `| ${operation} | ${number(readUnits)} | ${number(writeUnits)} | ${databaseCalls} |`

/** The table of docs/operating.md. */
export const costTable = (usages: readonly Usage[], functionLogBytes: number): string =>
  [
    '| operation | read units | write units | calls | gateway | Lambda | DynamoDB | logs, traces | total |',
    '|---|---|---|---|---|---|---|---|---|',
    ...usages.map((usage) => {
      const { gateway, lambda, database, watching, total } = costOf(usage, functionLogBytes)
      return `${measuredColumns(usage)} ${[gateway, lambda, database, watching, total].map(money).join(' | ')} |`
    }),
  ].join('\n')
