/** Quoted text, which no shell interprets. */
const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"/g
const hereDocument = /<<'?(\w+)'?([\s\S]*?\n)([\s\S]*?)\n\1$/gm

/** Returns the part of a block that a shell interprets: without here-documents, quoted text and expansions in braces. */
const bare = (block: string): string =>
  block
    .replaceAll(hereDocument, '<<_$2')
    .replaceAll(quoted, '_')
    .replaceAll(/\$\{[^}]*\}/g, '_')

/** Returns the block as it is, for constructs that differ even within quotes. */
const whole = (block: string): string => block

/** Constructs that zsh, bash 3.2 and bash 5, or the tools of macOS and of Linux, treat differently when pasted at a prompt. */
const differing: Readonly<Record<string, readonly [textOf: (block: string) => string, pattern: RegExp]>> = {
  'a comment': [bare, /(?:^|[\s;])#.*/],
  'a pattern outside of quotes': [bare, /\S*[?*]\S*|[^\s[]+\[\S*|\[(?![\s[])\S*/],
  'the history of commands': [whole, /\S*!(?!=)\S*/],
  'a modifier after a name without braces': [whole, /\$\w+:[a-zA-Z&]|\$\w+\[/],
  'an array': [whole, /\w+\+?=\(.*|\$\{\w+\[.*/],
  'an echo that may expand a backslash': [whole, /\becho\b[^|;&\n]*[$\\].*/],
  'a construct of one shell': [
    bare,
    /(?:^|\s)(?:\[\[|declare|typeset|mapfile|readarray|shopt|setopt|source|read -[^r])\s.*|\|&|&>|\^\^|,,/m,
  ],
  'a name that zsh uses itself': [
    bare,
    /\b(?:path|status|argv|cdpath|fpath|manpath|prompt|history|commands|functions|aliases|options|signals|words|pipestatus)=/,
  ],
  'a completion': [whole, /\t.*/],
  'an option of GNU': [
    whole,
    /\bdate (?:-d|--|-I)|\bsed (?:-i|-r|-s|--)|\bbase64 (?:-w|-d|--)|\bstat -c|\breadlink -f|\bgrep (?:-\w*P|--)|\b(?:grep|sed) .*\\[|+?]|\b(?:tac|sha256sum|timeout) /,
  ],
}

/** Returns the constructs of a block that do not run alike in the shells into which people paste it, each with its name. */
export const shellDifferences = (block: string): string[] => {
  const found: string[] = []
  for (const [name, [textOf, pattern]] of Object.entries(differing)) {
    const [construct] = pattern.exec(textOf(block)) ?? []
    if (construct !== undefined) found.push(`${name}: ${construct.trim()}`)
  }
  const texts = [...block.matchAll(/\b(\w+)=(?:'[^']*\s[^']*'|"[^"$]*\s[^"$]*")/g)].map(([, name]) => name)
  const split = texts.filter((name) => new RegExp(`\\$\\{?${name}\\b`).test(bare(block)))
  return [...found, ...split.map((name) => `a variable that only bash splits: ${name}`)]
}

/** Returns the blocks of a document that people paste into a shell, whole; by default also blocks that name no language. */
export const pastedBlocks = (document: string, languages = ['sh', '']): string[] =>
  [...document.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].flatMap(([, language = '', block = '']) =>
    languages.includes(language) ? [block] : [],
  )
