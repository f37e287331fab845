/** The hues of the colours in charts, in degrees. */
export const hues = {
  blue: 212,
  green: 152,
  orange: 28,
  purple: 280,
  red: 350,
  turquoise: 190,
  yellow: 60,
} as const
