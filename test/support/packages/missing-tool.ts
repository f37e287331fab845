/** Reports a check that cannot run because the machine lacks a tool. Where `CI` is set, the check fails. */
export const reportMissingTool = (need: string): void => {
  const { CI } = process.env
  console.error(`${CI ? 'Failed, since CI is set' : 'Skipped'}: ${need}`)
  if (CI) process.exitCode = 1
}
