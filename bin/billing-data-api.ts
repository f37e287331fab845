import { main } from '../tools/testing/program.ts'

void main(process.argv.slice(2))
