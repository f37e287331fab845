/** The modules of the package, such as `billing-data-api/client`. `billing-data-api` is the client, too. */
export const moduleNames = ['client', 'analytics', 'testing'] as const

export type ModuleName = (typeof moduleNames)[number]

/** Its `index.ts` is what the module exports. */
export const sourceFolders: Readonly<Record<ModuleName, string>> = {
  client: 'client',
  analytics: 'client/analytics',
  testing: 'tools/testing',
}
