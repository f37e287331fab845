import type { StageSettings } from '../stages.ts'
import { EVENT_BUS, EVENT_PIPE } from './outputs.ts'

/** How far events are set up: not at all, with stream and bus, or with the pipe between them too. */
const states = ['nothing', 'stream', 'pipe'] as const
type State = (typeof states)[number]

const hints: Readonly<Record<string, string>> = {
  'nothing to stream':
    'Events: this adds the stream and the bus. Create rules on the bus, then set events to true and deploy again.',
  'stream to pipe': 'Events: this adds the pipe. From now on, changes put events on the bus.',
  'pipe to stream':
    'Events: this removes the pipe, and changes no longer put events on the bus. To remove the stream and the bus too, delete the rules of the bus, then remove events from the stage and deploy again.',
  'stream to nothing': 'Events: this removes the stream and the bus.',
}

const stateOfSetting = (events: StageSettings['events']): State => {
  if (events === 'stream') return 'stream'
  return events ? 'pipe' : 'nothing'
}

const stateOfStack = (outputs: readonly string[]): State => {
  if (outputs.includes(EVENT_PIPE)) return 'pipe'
  return outputs.includes(EVENT_BUS) ? 'stream' : 'nothing'
}

/**
 * Compares the setting of the stage with the present state, which the names of the stack's outputs show.
 * Undefined if nothing changes. Throws Error if the deployment would skip a step.
 */
export const eventsStep = (
  outputs: readonly string[],
  events: StageSettings['events'],
): string | undefined => {
  const presentState = stateOfStack(outputs)
  const nextState = stateOfSetting(events)
  const steps = states.indexOf(nextState) - states.indexOf(presentState)
  // The stream of a restored table exists already.
  if (steps > 1 && events === true)
    throw new Error(
      "the stack has no stream yet: set events to 'stream' and deploy first, since a pipe cannot be created together with its stream",
    )
  if (steps < -1)
    throw new Error(
      "the stack still has the event pipe: set events to 'stream' and deploy first, since a pipe does not outlive its stream",
    )
  return hints[`${presentState} to ${nextState}`]
}
