/** Where `CI` is set, the check fails. */
export const reportMissingTool = (message: string): void => {
  const { CI } = process.env
  console.error(`${CI ? 'Failed, since CI is set' : 'Skipped'}: ${message}`)
  if (CI) process.exitCode = 1
}
