import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** An npm package with code in a deployed bundle. */
export interface DeployedPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  /** Its path in the project. */
  readonly folder: string
}

const folderOf = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

const packageIn = (root: string, folder: string): DeployedPackage => {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { name, version, license = 'none stated' } = JSON.parse(manifest)
  return { name, version, license, folder }
}

/** Returns the packages that contribute at least one byte to a bundle, sorted by name and version. `root` is the project's folder. */
export const deployedPackages = (root: string, metafiles: readonly Metafile[]): DeployedPackage[] => {
  const files = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    )
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []))
  const packages = [...folders].map((folder) => packageIn(root, folder))
  const label = ({ name, version }: DeployedPackage) => `${name}@${version}`
  return [...new Map(packages.map((each) => [label(each), each])).values()].sort((a, b) =>
    label(a) < label(b) ? -1 : 1,
  )
}
