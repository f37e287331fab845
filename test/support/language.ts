/** Tests expect dates in English, whatever the language of the machine. Node has a navigator since version 21. */
Object.defineProperty(globalThis, 'navigator', {
  value: { language: 'en-US', languages: ['en-US'] },
  configurable: true,
})
