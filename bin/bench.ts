import { benchUsage, runBench } from '../bench/run-bench.ts'
import { runCommand } from '../tools/local/command.ts'

await runCommand({ name: 'bench', usage: benchUsage, run: runBench })
