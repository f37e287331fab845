const done: Readonly<Record<string, string>> = {
  New: 'joined',
  Reactivated: 'came back',
  Lost: 'left',
  Expansion: 'upgraded',
  Contraction: 'downgraded',
}

/** Returns what customers did, by the name of their change. Whoever left in the running month may only not have renewed yet. */
export const changeWords = (name: string, isRunning: boolean): string =>
  `${done[name] ?? name}${name === 'Lost' && isRunning ? ' or not yet renewed' : ''}`
