/** What customers did, by the name of their movement. In the running month, whoever left may only not have renewed yet. */
export const movementWords: Readonly<Record<string, string>> = {
  New: 'joined',
  Reactivation: 'came back',
  Expansion: 'upgraded',
  Contraction: 'downgraded',
  Churn: 'left or not yet renewed',
}
