import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lambda allots processor time in periods of 20 ms. */
const PERIOD_MICROS = 20_000

/** A file of a control group, and the text to write into it. */
export interface Setting {
  readonly file: string
  readonly text: string
}

/** A control group, whose processes together get a share of one core. */
export interface Quota {
  /** The file into which a process writes its id to join the group. */
  readonly members: string
  /** Returns the setting that gives the group a share of one core, from 0 to 1. */
  setting(share: number): Setting
  close(): void
}

/** A version of control groups: how to limit a group, and to weight it so that other processes do not take its share. */
interface Version {
  readonly root: string
  readonly limit: string
  readonly text: (micros: number) => string
  readonly prepared: Readonly<Record<string, string>>
}

const versions: readonly Version[] = [
  {
    root: '/sys/fs/cgroup',
    limit: 'cpu.max',
    text: (micros) => `${micros} ${PERIOD_MICROS}`,
    prepared: { 'cpu.weight': '10000' },
  },
  {
    root: '/sys/fs/cgroup/cpu',
    limit: 'cpu.cfs_quota_us',
    text: String,
    prepared: { 'cpu.cfs_period_us': `${PERIOD_MICROS}`, 'cpu.shares': '262144' },
  },
]

const open = ({ root, limit, text, prepared }: Version): Quota | undefined => {
  const folder = join(root, `bench-${process.pid}`)
  try {
    mkdirSync(folder)
  } catch {
    // This version is not available, or access is denied.
    return undefined
  }
  const close = () => rmdirSync(folder)
  if (!existsSync(join(folder, limit))) {
    close()
    return undefined
  }
  for (const [name, value] of Object.entries(prepared)) writeFileSync(join(folder, name), value)
  return {
    members: join(folder, 'cgroup.procs'),
    setting: (share) => ({ file: join(folder, limit), text: text(Math.round(share * PERIOD_MICROS)) }),
    close,
  }
}

/** Creates a control group. Returns undefined if that is impossible: it requires Linux and usually root. */
export const openQuota = (): Quota | undefined =>
  versions.reduce<Quota | undefined>((quota, version) => quota ?? open(version), undefined)
