import { readFileSync } from 'node:fs'
import { plantedFaults } from './planted.ts'

describe('the planted faults of test/histories/planted.txt', () => {
  it.each(plantedFaults)('can be planted into the sources: $name', ({ file, from }) => {
    const occurrences = readFileSync(file, 'utf8').split(from).length - 1
    expect(occurrences).toBe(1)
  })
})
