/** `npm run build`: the server's bundles into dist/server, the screens into dist/web, the script tag's reporter into dist/reporter. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildReporterScript } from './build/reporter-script.ts'
import { buildServer } from './build/server-bundle.ts'
import { buildWeb } from './build/web-bundle.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

rmSync(DIST, { recursive: true, force: true })
const startedMs = Date.now()
await Promise.all([
  buildServer(ROOT, join(DIST, 'server')),
  buildWeb(ROOT, join(DIST, 'web')),
  buildReporterScript(ROOT, join(DIST, 'reporter')),
])
console.log(`Built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
