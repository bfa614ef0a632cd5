/** `npm run --silent sonde -- …`: the command line. Progress goes to stderr, so that `--json` stays clean. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'

const STDERR = 2
ensureDependencies('run', STDERR)
ensureBuild(STDERR)
await runOnNode24(join(ROOT, 'dist', 'server', 'sonde.js'), process.argv.slice(2))
