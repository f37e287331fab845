import { render } from 'preact'
import { App } from './app.tsx'

const root = document.getElementById('app')!
const { appId, apiKey } = root.dataset
render(<App filledIn={appId && apiKey ? { appId, apiKey } : undefined} />, root)
