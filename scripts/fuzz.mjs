/** `npm run fuzz [target …]`: see docs/internals/fuzzing.md. Sets up what is missing, as `npm test` does. */
import { spawnSync } from 'node:child_process'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'

ensureDependencies()
ensureBuild()
const done = spawnSync(NODE, ['--conditions=@sonde/source', 'tests/fuzz/run.ts', ...process.argv.slice(2)], {
  cwd: ROOT,
  env: toolEnv(),
  stdio: 'inherit',
})
process.exit(done.status ?? 1)
