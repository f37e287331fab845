import type { Plugin } from 'esbuild'

/** The esbuild plugin that leaves the documents' words and examples out of functions: see `about`. */
export const withoutWords: Plugin = {
  name: 'without-words',
  setup(build) {
    build.onLoad({ filter: /shared\/contract\/about\.ts$/ }, () => ({
      contents: 'export function about() {}\nexport function example() {}',
      loader: 'js',
    }))
  },
}
