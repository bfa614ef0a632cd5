/** `npm run load`: sets up what is missing, then loads a Sonde of its own: docs/operate/reliability.md. */
import { spawnSync } from 'node:child_process'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'

ensureDependencies()
ensureBuild()
const args = ['--conditions=@sonde/source', 'tests/load/run.ts', ...process.argv.slice(2)]
const done = spawnSync(NODE, args, { cwd: ROOT, env: toolEnv(), stdio: 'inherit' })
process.exit(done.status ?? 1)
