import { benchUsage, runBench } from '../bench/run-bench.ts'
import { runCommand } from '../tools/cli/command.ts'

await runCommand({ name: 'bench', usage: benchUsage, run: runBench })
