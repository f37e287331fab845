import type { Option, Options } from './options.ts'

const MAX_LINE_LENGTH = 120
/** Where explanations begin. */
const COLUMN = 21

const wrap = (text: string, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Paragraphs without line breaks. */
type Explanation = Pick<Option, 'about' | 'default'>

export const termList = (explanations: Readonly<Record<string, Explanation>>): string => {
  const indent = ' '.repeat(COLUMN)
  const lines: string[] = []
  for (const [term, { about, default: value }] of Object.entries(explanations)) {
    const text = value === undefined ? about : `${about} (default: ${value})`
    const [first = '', ...rest] = text
      .split('\n')
      .flatMap((paragraph) => wrap(paragraph, MAX_LINE_LENGTH - COLUMN))
    const start = `  ${term}`
    const isShort = start.length <= COLUMN - 2
    if (isShort) lines.push(start.padEnd(COLUMN) + first)
    else lines.push(start, indent + first)
    for (const line of rest) lines.push(indent + line)
  }
  return lines.join('\n')
}

const withValue = (dashedName: string, { value }: Option): string =>
  value === undefined ? dashedName : `${dashedName} ${value}`

export const synopsis = (options: Options): string =>
  Object.entries(options)
    .map(([name, option]) => {
      const text = withValue(option.short === undefined ? `--${name}` : `-${option.short}`, option)
      return option.isRequired ? text : `[${text}]`
    })
    .join(' ')

/** Adds `--help`, which every command has. */
export const optionList = (...groups: readonly Options[]): string => {
  const explanations: Record<string, Explanation> = {}
  for (const [name, option] of groups.flatMap((options) => Object.entries(options))) {
    const dashedName = option.short === undefined ? `--${name}` : `-${option.short}, --${name}`
    explanations[withValue(dashedName, option)] = option
  }
  return termList({ ...explanations, '--help': { about: 'shows this usage' } })
}
