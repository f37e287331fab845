import type { Deployable } from '../../shared/contract/deployable.ts'
import type { StageSettings, Throttle } from '../stages.ts'

type Settings = StageSettings['throttle']

/** Seconds over which the firewall averages the requests of one client. */
export const WINDOW_SECONDS = 60

/** After so long, half of the window, a client that sent up to twice its rate is below it again. */
export const RETRY_AFTER_SECONDS = WINDOW_SECONDS / 2

/**
 * Requests a second that the firewall takes from one address, and from one application: as many as the most generous
 * method takes from all clients. So it refuses nobody whom every method lets through, and nobody takes the whole API.
 */
export const clientRate = ({ read, write }: Settings): number => Math.max(read.rate, write.rate)

/** The throttle of one route. */
export const throttleOf = ({ throttle }: Deployable, settings: Settings): Throttle => settings[throttle]
