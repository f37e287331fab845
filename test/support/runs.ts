/** `quick` in `npm test`, `long` in `npm run test:long`. */
export const runs = <T = number>(quick: T, long: T): T => (process.env.LONG ? long : quick)
