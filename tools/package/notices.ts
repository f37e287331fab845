import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { type DeployedPackage, deployedPackages } from '../../lib/bundle/deployed.ts'

const textsIn = (root: string, { folder, license }: DeployedPackage): string => {
  const files = readdirSync(join(root, folder)).filter((file) =>
    /^(?:licen[cs]e|notice|copying)\b/i.test(file),
  )
  const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : `License: ${license}`
}

/** Returns the licences of the packages in a bundle, which must be distributed with it, each text once. */
export const notices = (root: string, metafile: Metafile): string => {
  const byText = Map.groupBy(deployedPackages(root, [metafile]), (each) => textsIn(root, each))
  const parts = [...byText].map(
    ([text, packages]) =>
      `${packages.map(({ name, version }) => `${name} ${version}`).join('\n')}\n\n${text}\n`,
  )
  return `The program contains the following packages, under the terms below their names.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
