/**
 * `npm run build`: the server's bundles into dist/server, the screens into dist/web, the script tag's reporter into
 * dist/reporter. `npm run build -- packages`: what is published, into packages/{browser,react,tunnel}/dist.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildBrowserPackages } from './build/browser-packages.ts'
import { buildReporterScript } from './build/reporter-script.ts'
import { buildServer } from './build/server-bundle.ts'
import { buildWeb } from './build/web-bundle.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

const startedMs = Date.now()
if (process.argv.includes('packages')) await buildBrowserPackages(ROOT)
else {
  rmSync(DIST, { recursive: true, force: true })
  await Promise.all([
    buildServer(ROOT, join(DIST, 'server')),
    buildWeb(ROOT, join(DIST, 'web')),
    buildReporterScript(ROOT, join(DIST, 'reporter')),
  ])
}
console.log(`Built in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
