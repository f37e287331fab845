/** A text in single quotes, in which a shell reads it as it is. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
