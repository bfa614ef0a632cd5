/** `npm run data-folder -- NAME`: keeps a data folder of this version for the tests of upgrades; see fixtures/data-folders. */
import { spawnSync } from 'node:child_process'
import { ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'

ensureDependencies()
const program = ['--conditions=@sonde/source', 'tests/crash/upgrade/make-data-folder.ts']
const done = spawnSync(NODE, [...program, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: toolEnv(),
  stdio: 'inherit',
})
process.exit(done.status ?? 1)
