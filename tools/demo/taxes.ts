/**
 * In percent. It is a German business; companies in other countries pay the tax of their country themselves.
 */
export const taxPercentIn = (country: string): number => (country === 'DE' ? 19 : 0)
