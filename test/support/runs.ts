/** How often a property is tried: `quick` in `npm test`, `long` in `npm run test:long`. */
export const runs = (quick: number, long: number): number => (process.env.LONG ? long : quick)
