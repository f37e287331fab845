/** Returns a text that begins with a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns a name in Pascal case: `LineItem` for `line_item`, `ListPrices` for `listPrices`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
