import { main } from '../shared/testing/program.ts'

void main(process.argv.slice(2))
