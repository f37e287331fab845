/** A name in Pascal case: `LineItem` for `line_item`, `ListPrices` for `listPrices`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
