import type { StageSettings } from '../stages.ts'

/** The window over which the firewall averages the requests of one client, in seconds. */
export const WINDOW_SECONDS = 60

/** After half of the window, a client that sent up to twice its rate is below its rate again. */
export const RETRY_AFTER_SECONDS = WINDOW_SECONDS / 2

/**
 * Returns the requests a second that the firewall accepts from one address and from one application: the highest rate of
 * a method. So it refuses no request that the method's own throttle would accept, and no client can use up the API.
 */
export const clientRate = ({ read, write }: StageSettings['throttle']): number =>
  Math.max(read.rate, write.rate)
