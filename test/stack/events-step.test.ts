import { eventsStep } from '../../lib/stack/events-step.ts'
import type { StageSettings } from '../../lib/stages.ts'
import { everyOption, synthesise } from '../support/synthesis.ts'

const own = { ...everyOption, table: { kept: true } }
const outputsOf = (events: StageSettings['events']): string[] =>
  Object.keys(
    synthesise('full', { ...own, ...(events === undefined ? {} : { events }) }).template.toJSON().Outputs,
  )

const off = outputsOf(false)
const streaming = outputsOf('stream')
const on = outputsOf(true)
const label = { streamLabel: '2026-01-31T12:00:00.000' }

it.each<[string, string[], StageSettings['events'], RegExp]>([
  ['adds the stream, says to set true next', off, 'stream', /adds the stream.*then set events to true/],
  ['adds the pipe to a stream', streaming, true, /adds the pipe/],
  ['removes the pipe, says to delete the rules next', on, 'stream', /removes the pipe.*delete the rules/],
  ['removes the stream', streaming, false, /removes the stream/],
])('npm run deploy %s', (_, deployed, wanted, hint) => {
  expect(eventsStep(deployed, wanted)).toMatch(hint)
})

it.each<[string, string[], StageSettings['events']]>([
  ['off', off, undefined],
  ['with a stream', streaming, 'stream'],
  ['on', on, true],
  ['on, for a restored table', on, label],
  ['on at once for a restored table, whose stream exists', off, label],
])('npm run deploy says nothing of events that stay or become %s', (_, deployed, wanted) => {
  expect(eventsStep(deployed, wanted)).toBeUndefined()
})

it.each<[string, string[], StageSettings['events'], RegExp]>([
  ['creates no pipe together with its stream', off, true, /set events to 'stream' and deploy first/],
  ['creates no pipe in a new stack', [], true, /set events to 'stream' and deploy first/],
  ['removes no stream that a pipe still reads', on, undefined, /set events to 'stream' and deploy first/],
])('npm run deploy %s', (_, deployed, wanted, message) => {
  expect(() => eventsStep(deployed, wanted)).toThrow(message)
})
