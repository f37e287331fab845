/**
 * Tests expect dates in English, whatever the language of the machine. Node has a navigator since version 21.
 */
const userAgent = `Node.js/${process.versions.node.split('.')[0]}`

Object.defineProperty(globalThis, 'navigator', {
  value: {
    languages: ['en-US'],
    // A getter, since tests replace it.
    get userAgent() {
      return userAgent
    },
  },
  configurable: true,
})
