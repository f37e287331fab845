import { interceptCalls } from './intercepted-calls.ts'

/** Another update names the customer "Faster" before each write of a customer, until the end of the test. */
export const overtakeEachWrite = (): { writes: number } => {
  const counted = { writes: 0 }
  interceptCalls(async ({ command, input }, proceed) => {
    if (command !== 'PutItemCommand') return proceed()
    counted.writes += 1
    const stamp = `${input.Item.stamp}~${counted.writes}`
    await proceed({ ...input, Item: { ...input.Item, data: { name: 'Faster' }, stamp } })
    return proceed()
  })
  return counted
}
