/**
 * `npm run pack`: a release archive for this platform in `release/`, which Node 24 starts without npm and without a build.
 * `npm run pack -- --folder PATH` writes its content there instead.
 */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'

ensureDependencies('run')
ensureBuild()
await runOnNode24(join(ROOT, 'scripts', 'pack', 'run.ts'), process.argv.slice(2))
