/**
 * `npm run screens`: the pictures of docs/screens, light, dark and narrow, of a demo that it starts and ends. With the address of a demo
 * that runs, of that one; names of screens behind it, for a few: `npm run screens -- http://127.0.0.1:8600 issues trace`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureBuild, ensureDependencies, NODE, ROOT, run, toolEnv } from './setup.mjs'
import { ensureChromium } from './test/chromium.mjs'

/** What the demo says of itself: its address, and that nothing more comes. */
const OPEN = /Open\s+(http:\/\/[^/\s]+)\//
const DONE = /The deployment gate, |The team's day ended early/

ensureDependencies()
ensureBuild()
ensureChromium()
const [address, ...only] = process.argv.slice(2)
const take = (url) =>
  run(NODE, ['--conditions=@sonde/source', join('tests', 'e2e', 'docs-screens.ts'), url, ...only])
if (address !== undefined) take(address)
else {
  const demo = spawn(NODE, [join(ROOT, 'scripts', 'demo.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: toolEnv(),
  })
  let said = ''
  for await (const chunk of demo.stdout) {
    process.stdout.write(chunk)
    said += chunk
    if (DONE.test(said)) break
  }
  try {
    take(OPEN.exec(said)[1])
  } finally {
    demo.kill('SIGTERM')
    if (demo.exitCode === null) await once(demo, 'exit')
  }
}
