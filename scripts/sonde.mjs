/** `npm run --silent sonde -- …`: the command line. Progress goes to stderr, so that `--json` stays clean. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'

const toStdout = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
ensureDependencies()
ensureBuild()
process.stdout.write = toStdout
await runOnNode24(join(ROOT, 'dist', 'server', 'sonde.js'), process.argv.slice(2))
