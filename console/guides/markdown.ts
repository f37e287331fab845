/** Matches the code blocks of a Markdown text. Each is a group, so that `split` keeps it. */
export const codeBlocks = /(^```[\s\S]*?^```$)/gm

/** Returns the slug of a heading, as in Scalar's addresses. GitHub's slugs keep underscores. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(/[ _]/g, '-')

/** A Markdown text without the syntax of tables, code and emphasis, and without the addresses of links. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```\w*$/gm, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
