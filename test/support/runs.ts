/** Returns the number of runs of a property: `quick` in `npm test`, `long` in `npm run test:long`. */
export const runs = (quick: number, long: number): number => (process.env.LONG ? long : quick)
