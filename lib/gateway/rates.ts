import type { Deployable } from '../../shared/contract/deployable.ts'
import type { StageSettings, Throttle } from '../stages.ts'

type Settings = StageSettings['throttle']

/** The window over which the firewall averages the requests of one client, in seconds. */
export const WINDOW_SECONDS = 60

/** After half of the window, a client that sent up to twice its rate is below its rate again. */
export const RETRY_AFTER_SECONDS = WINDOW_SECONDS / 2

/**
 * Returns the requests a second that the firewall accepts from one address and from one application: the highest rate of
 * a method. So it refuses no request that the method's own throttle would accept, and no client can use up the API.
 */
export const clientRate = ({ read, write }: Settings): number => Math.max(read.rate, write.rate)

/** Returns the throttle of a route. */
export const throttleOf = ({ throttle }: Deployable, settings: Settings): Throttle => settings[throttle]
