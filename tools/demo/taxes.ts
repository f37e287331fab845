/**
 * Returns the value-added tax that the business adds to its prices for a country, in percent. It is a German
 * business; companies in other countries pay the tax of their country themselves.
 */
export const taxPercentIn = (country: string): number => (country === 'DE' ? 19 : 0)
