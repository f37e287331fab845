import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isTimeZone, UTC } from '../text/time-zone.ts'
import type { Address } from './address.ts'

/**
 * The time zone of all months and dates, which the address chooses, so that everybody who opens a copied address sees the same
 * figures. This browser remembers the latest choice for addresses that name no application, such as that of the console itself.
 */

/** The time zone that an address chooses: UTC if it names none, or one that this browser does not know. */
export const timeZoneOf = ({ zone = UTC }: Address['query']): string => (isTimeZone(zone) ? zone : UTC)

export const TimeZoneContext = createContext(UTC)

export const useTimeZone = (): string => useContext(TimeZoneContext)

/** The value of the parameter `zone` for a time zone. It is empty for UTC, so that links omit the parameter. */
export const zoneParameter = (timeZone: string): string => (timeZone === UTC ? '' : timeZone)

const STORAGE_KEY = 'billing-console-time-zone'

/** Keeps a choice in this browser, also after the sign-out. */
export const rememberTimeZone = (timeZone: string): void => localStorage.setItem(STORAGE_KEY, timeZone)

export const hasChosenTimeZone = (): boolean => localStorage.getItem(STORAGE_KEY) !== null

export const rememberedTimeZone = (): string => timeZoneOf({ zone: localStorage.getItem(STORAGE_KEY) ?? UTC })
