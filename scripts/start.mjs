/** `npm start`: set up what is missing, then run Sonde. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'

ensureDependencies('run')
ensureBuild()
await runOnNode24(join(ROOT, 'dist', 'server', 'sonde.js'), ['start', ...process.argv.slice(2)])
