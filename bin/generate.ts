import { writeFileSync } from 'node:fs'
import { generated } from '../tools/package/generated.ts'

for (const [file, text] of Object.entries(generated())) writeFileSync(file, text)
