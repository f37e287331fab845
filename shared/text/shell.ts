/** A text in single quotes, in which a shell reads it as it is. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** As people write it in a command: in quotes only where a shell needs them, in single ones only where it would change double ones. */
export const shellWord = (text: string): string => {
  if (/^\w+$/.test(text)) return text
  return /[$`"\\!]/.test(text) ? singleQuoted(text) : `"${text}"`
}
