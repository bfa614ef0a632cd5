/** `npm run release`: checks what a release needs and writes what goes with one. scripts/release/run.ts says what. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureDependencies, ROOT } from './setup.mjs'

ensureDependencies()
await runOnNode24(join(ROOT, 'scripts', 'release', 'run.ts'), process.argv.slice(2))
