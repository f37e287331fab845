/** The blocks of code in a Markdown text, each as a group of its own. */
export const codeBlocks = /(^```[\s\S]*?^```$)/gm

/** Returns the end of the address of a heading, as Scalar makes it. GitHub's has the underscores of the heading. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(/[ _]/g, '-')

/** Returns a Markdown text without its marks: without those of tables, code and emphasis, and with the words of links only. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```\w*$/gm, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
