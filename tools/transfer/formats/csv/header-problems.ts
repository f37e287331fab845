import { allowsType, type Properties } from '../../../../shared/contract/schema.ts'
import { closestName } from '../../../../shared/http/validation/suggest.ts'
import { singleQuoted } from '../../../../shared/text/shell.ts'
import { UsageError } from '../../../cli/command.ts'
import { columnName } from './columns.ts'
import type { Header, UnknownColumn } from './header.ts'

/** The header of a file. */
type FileHeader = Header & { readonly file: string }

/** A problem with a header, and the options that solve it. */
interface HeaderProblem {
  readonly problem: string
  readonly remedies: readonly string[]
}

/** Returns the field whose name is most similar to an unknown one, unless it is `taken`; undefined if no name is similar. */
const similarField = (
  name: string,
  properties: Properties,
  taken: ReadonlySet<string>,
): string | undefined => {
  const free = Object.keys(properties).filter((field) => !taken.has(field))
  const similar = closestName(name, free)
  const [start = '', ...rest] = name.split('.')
  if (similar || rest.length === 0) return similar
  const outer = closestName(start, free)
  if (outer === undefined) return undefined
  const inner = rest.join('.')
  const parts = properties[outer]!.items?.properties
  if (!parts) return allowsType(properties[outer]!, 'object') ? `${outer}.${inner}` : undefined
  const freeParts = Object.keys(parts).filter((part) => !taken.has(`${outer}.${part}`))
  const similarPart = closestName(inner, freeParts)
  return similarPart && `${outer}.${similarPart}`
}

/** Quotes a text for a shell: in double quotes, unless a shell would change it there. */
const shellQuoted = (text: string): string => (/[$`"\\!]/.test(text) ? singleQuoted(text) : `"${text}"`)

/** The option that leaves out every unknown column of all files. */
const LEAVE_OUT = '--leave-out REST'

const MAX_SHOWN = 10

const shownColumn = ({ name, mappedTo }: UnknownColumn): string =>
  mappedTo === undefined ? `"${name}"` : `"${name}" as "${mappedTo}"`

/** Returns the problem of a header with unknown columns. At most ten of them are shown. */
const unknownProblem = ({ file, sheetType, columns, unknown }: FileHeader): HeaderProblem => {
  const { properties, name: sheetName } = sheetType
  const taken = new Set(columns.map(columnName))
  const shown: string[] = []
  const remedies: string[] = []
  for (const column of unknown.slice(0, MAX_SHOWN)) {
    const { name, mappedTo } = column
    const field = similarField(mappedTo ?? name, properties, taken)
    if (field === undefined) shown.push(shownColumn(column))
    else {
      shown.push(`${shownColumn(column)} (did you mean ${field}?)`)
      taken.add(field)
      remedies.push(`--map ${shellQuoted(`${sheetName}:${name}=${field}`)}`)
    }
  }
  if (unknown.length > MAX_SHOWN) shown.push(`and ${unknown.length - MAX_SHOWN} more`)
  if (remedies.length < unknown.length) remedies.push(LEAVE_OUT)
  const areNotFields = unknown.length === 1 ? 'is not a field' : 'are not fields'
  const fields = Object.keys(properties).join(', ')
  return { problem: `in "${file}", ${shown.join(', ')} ${areNotFields} (${fields})`, remedies }
}

const problemOf = (header: FileHeader): HeaderProblem | undefined => {
  const { file, repeated, unknown } = header
  if (repeated) {
    const { field, columnNames } = repeated
    const problem = `in "${file}", the columns "${columnNames.join('" and "')}" are both ${field}`
    return { problem, remedies: [] }
  }
  return unknown.length > 0 ? unknownProblem(header) : undefined
}

const adviceFor = (remedies: readonly string[], { sheetType }: Header): string => {
  if (remedies.length === 0)
    return `; --map "${sheetType.name}:COLUMN=FIELD" names another field, and the second of two columns is "COLUMN#2"`
  // The last option concerns all files.
  const options = remedies.filter((remedy) => remedy !== LEAVE_OUT)
  if (remedies.includes(LEAVE_OUT)) options.push(LEAVE_OUT)
  return `. --map "COLUMN=FIELD" names the field of a column. These options use the similar fields and leave out all other columns: ${options.join(' ')}`
}

/** Throws UsageError with the problems of all headers and the options that solve them, if any header has a problem. */
export const requireKnownColumns = (headers: readonly FileHeader[]): void => {
  const problems: string[] = []
  const remedies = new Set<string>()
  let firstWrong: Header | undefined
  for (const header of headers) {
    const found = problemOf(header)
    if (!found) continue
    firstWrong ??= header
    problems.push(found.problem)
    for (const remedy of found.remedies) remedies.add(remedy)
  }
  if (firstWrong) throw new UsageError(`${problems.join('; ')}${adviceFor([...remedies], firstWrong)}`)
}
