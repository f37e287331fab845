/** Quoted text, which no shell interprets. */
const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"/g
const hereDocument = /<<'?(\w+)'?([\s\S]*?\n)([\s\S]*?)\n\1$/gm

/** Without here-documents, quoted text and expansions in braces. */
const interpretedPart = (block: string): string =>
  block
    .replaceAll(hereDocument, '<<_$2')
    .replaceAll(quoted, '_')
    .replaceAll(/\$\{[^}]*\}/g, '_')

/** For constructs that differ even within quotes. */
const wholeBlock = (block: string): string => block

/**
 * Constructs that zsh, bash 3.2 and bash 5, or the tools of macOS and of Linux, treat differently when pasted
 * at a prompt: by name, the part of a block in which they differ, and their pattern.
 */
const differingConstructs: Readonly<
  Record<string, readonly [partOf: (block: string) => string, pattern: RegExp]>
> = {
  'a comment': [interpretedPart, /(?:^|[\s;])#.*/],
  'a pattern outside of quotes': [interpretedPart, /\S*[?*]\S*|[^\s[]+\[\S*|\[(?![\s[])\S*/],
  'the history of commands': [wholeBlock, /\S*!(?!=)\S*/],
  'a modifier after a name without braces': [wholeBlock, /\$\w+:[a-zA-Z&]|\$\w+\[/],
  'an array': [wholeBlock, /\w+\+?=\(.*|\$\{\w+\[.*/],
  'an echo that may expand a backslash': [wholeBlock, /\becho\b[^|;&\n]*[$\\].*/],
  'a construct of one shell': [
    interpretedPart,
    /(?:^|\s)(?:\[\[|declare|typeset|mapfile|readarray|shopt|setopt|source|read -[^r])\s.*|\|&|&>|\^\^|,,/m,
  ],
  'a name that zsh uses itself': [
    interpretedPart,
    /\b(?:path|status|argv|cdpath|fpath|manpath|prompt|history|commands|functions|aliases|options|signals|words|pipestatus)=/,
  ],
  'a completion': [wholeBlock, /\t.*/],
  'an option of GNU': [
    wholeBlock,
    /\bdate (?:-d|--|-I)|\bsed (?:-i|-r|-s|--)|\bbase64 (?:-w|-d|--)|\bstat -c|\breadlink -f|\bgrep (?:-\w*P|--)|\b(?:grep|sed) .*\\[|+?]|\b(?:tac|sha256sum|timeout) /,
  ],
}

/** Each after its name. */
export const shellDifferences = (block: string): string[] => {
  const differences: string[] = []
  for (const [name, [partOf, pattern]] of Object.entries(differingConstructs)) {
    const [construct] = pattern.exec(partOf(block)) ?? []
    if (construct !== undefined) differences.push(`${name}: ${construct.trim()}`)
  }
  const variablesWithSpaces = [...block.matchAll(/\b(\w+)=(?:'[^']*\s[^']*'|"[^"$]*\s[^"$]*")/g)].map(
    ([, name]) => name,
  )
  const unquoted = variablesWithSpaces.filter((name) =>
    new RegExp(`\\$\\{?${name}\\b`).test(interpretedPart(block)),
  )
  return [...differences, ...unquoted.map((name) => `a variable that only bash splits: ${name}`)]
}

/** By default, including blocks that name no language. */
export const pastedBlocks = (document: string, languages = ['sh', '']): string[] =>
  [...document.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].flatMap(([, language = '', block = '']) =>
    languages.includes(language) ? [block] : [],
  )
