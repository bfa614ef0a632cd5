/** `npm run bench`: sets up what is missing, then measures. `npm run bench -- accept kills`: some parts; `--json`. */
import { join } from 'node:path'
import { runOnNode24 } from './run-on-node24.mjs'
import { ensureBuild, ensureDependencies, ROOT } from './setup.mjs'

ensureDependencies()
ensureBuild()
await runOnNode24(join(ROOT, 'bench', 'run.ts'), process.argv.slice(2))
