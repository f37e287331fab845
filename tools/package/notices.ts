import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

/** Undefined for a file of the project. */
const packageFolder = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

const readPackage = (root: string, folder: string): BundledPackage => {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { name, version, license = 'none stated' } = JSON.parse(manifest)
  return { name, version, license, folder }
}

/** Those that contribute at least one byte, sorted by name and version. */
export const bundledPackages = (root: string, metafiles: readonly Metafile[]): BundledPackage[] => {
  const folders = new Set<string>()
  for (const { inputs } of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = packageFolder(file)
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
    }
  }
  // A version may be installed in several folders.
  const byNameAndVersion = new Map<string, BundledPackage>()
  for (const folder of folders) {
    const bundled = readPackage(root, folder)
    byNameAndVersion.set(`${bundled.name}@${bundled.version}`, bundled)
  }
  return [...byNameAndVersion.keys()].sort().map((key) => byNameAndVersion.get(key)!)
}

/** The name of the licence if the package contains no text. */
const licenceText = (root: string, { folder, license }: BundledPackage): string => {
  const files = readdirSync(join(root, folder)).filter((file) =>
    /^(?:licen[cs]e|notice|copying)\b/i.test(file),
  )
  const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : `License: ${license}`
}

/** They must be distributed with the bundle, each text once. */
export const licenceNotices = (root: string, metafile: Metafile): string => {
  const byLicence = Map.groupBy(bundledPackages(root, [metafile]), (bundled) => licenceText(root, bundled))
  const sections = [...byLicence].map(([text, packages]) => {
    const names = packages.map(({ name, version }) => `${name} ${version}`)
    return `${names.join('\n')}\n\n${text}\n`
  })
  const line = '-'.repeat(80)
  return `The program contains the following packages, under the terms below their names.

${sections.join(`\n${line}\n\n`)}`
}
