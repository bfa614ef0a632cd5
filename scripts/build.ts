/**
 * `npm run build`: the server's bundles into dist/server, what browsers load of the screens into dist/web, the script
 * tag's reporter into dist/reporter, the documentation into dist/docs. `npm run build -- packages`: what is published, into packages/{browser,react,sentry-integration,tunnel,cli}/dist.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildBrowserPackages } from './build/browser-packages.ts'
import { buildReporterScript } from './build/reporter-script.ts'
import { buildServer } from './build/server-bundle.ts'
import { buildWeb } from './build/web-bundle.ts'
import { buildDocsSite } from './docs-site/build.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

const startedMs = Date.now()
if (process.argv.includes('packages')) await buildBrowserPackages(ROOT)
else {
  rmSync(DIST, { recursive: true, force: true })
  await Promise.all([
    step("the server and the screens' server code", buildServer(ROOT, join(DIST, 'server'))),
    step("the screens' scripts and styles, compressed", buildWeb(ROOT, join(DIST, 'web'))),
    step('the reporter for pages without a build', buildReporterScript(ROOT, join(DIST, 'reporter'))),
    step('the documentation', buildDocsSite(ROOT, join(DIST, 'docs'))),
  ])
}
console.log(`Built in ${seconds()} s`)

async function step(name: string, job: Promise<unknown>): Promise<void> {
  await job
  console.log(`  ${seconds().padStart(5)} s  ${name}`)
}

function seconds(): string {
  return ((Date.now() - startedMs) / 1000).toFixed(1)
}
