import { devNull } from 'node:os'

/**
 * Without a developer's variables and profiles, and without the credentials of the machine itself. The tests,
 * and the processes that they start, then reach no account.
 */
export const withoutAccount = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('AWS_'))
  return {
    ...Object.fromEntries(others),
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
}
