/** `npm start`: set up what is missing, then run Sonde. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'
import { portProblem } from './setup/port.mjs'

const busy = await portProblem()
if (busy) {
  process.stderr.write(`\n${busy}\n`)
  process.exit(1)
}
ensureDependencies('run')
ensureBuild()
await runOnNode24(join(ROOT, 'dist', 'server', 'sonde.js'), ['start', ...process.argv.slice(2)])
