import { createFixture, customerBody } from '../fixture.ts'
import { sampleMedians } from '../interleave.ts'
import type { Measurement, Piece } from '../rows.ts'
import { loadRequests, responsesPerSecond, serveOurs, startServer } from '../traffic.ts'
import { pairOf, recordCustomers } from '../workload.ts'

const ROUNDS = 5
const SECONDS = 2

export const throughput: Piece = async () => {
  const fixture = await createFixture()
  await recordCustomers(fixture, 1)
  const { bare: get } = await pairOf(fixture, 'retrieve')
  const { bare: put } = await pairOf(fixture, 'create')
  const bare = await startServer(
    { side: 'bare', file: get.file, get: get.input, put: put.input },
    fixture.env,
  )
  const ours = await serveOurs(fixture)
  try {
    // The service has an application of its own, in which the customer must be recorded too.
    await responsesPerSecond(
      ours,
      { ...loadRequests.create, body: JSON.stringify(customerBody('customer-1')) },
      1,
    )
    const rows: Measurement[] = []
    for (const name of ['retrieve', 'create'] as const) {
      const samples = {
        ours: () => responsesPerSecond(ours, loadRequests[name], SECONDS),
        baseline: () => responsesPerSecond(bare, loadRequests[name], SECONDS),
      }
      const label = `throughput: ${name}, 32 connections`
      rows.push({ label, unit: '1/s', ...(await sampleMedians(samples, ROUNDS)) })
    }
    return rows
  } finally {
    ours.end()
    bare.end()
  }
}
