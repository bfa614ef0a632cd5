/**
 * `npm run demo`: Sonde, a shop and its API on this machine, and many visitors in a headless Chromium, until the screens
 * are full. `npm run demo -- --visitors 100 --minutes 5`, `-- --keep` to go on with the data of the last time.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, NODE, ROOT, toolEnv } from './setup.mjs'
import { ensureChromium } from './test/chromium.mjs'

ensureDependencies()
ensureBuild()
ensureChromium()
// The reporter and the tunnel are packages of this repository: taken from their sources.
const args = ['--conditions=@sonde/source', join(ROOT, 'scripts', 'demo', 'run.ts'), ...process.argv.slice(2)]
const child = spawn(NODE, args, { stdio: 'inherit', env: toolEnv() })
// The terminal sends Ctrl+C to both; whoever ends this process alone means the demo too.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 1))
