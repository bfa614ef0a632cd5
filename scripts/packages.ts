/**
 * `npm run packages`: builds what pages and build pipelines install (`@sonde/browser`, `react`, `sentry-integration`, `tunnel`,
 * `cli`) and packs each into `release/packages/NAME.tgz`, which npm, pnpm and yarn install by its path.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildBrowserPackages, PUBLISHED } from './build/browser-packages.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'release', 'packages')

await buildBrowserPackages(ROOT)
mkdirSync(OUT, { recursive: true })
for (const name of PUBLISHED) {
  const folder = mkdtempSync(join(OUT, '.packing-'))
  try {
    const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]
    execFileSync('npm', args, { cwd: join(ROOT, 'packages', name), stdio: ['ignore', 'ignore', 'inherit'] })
    const [tarball] = readdirSync(folder)
    if (tarball === undefined) throw new Error(`npm packed nothing for ${name}`)
    // Without the version: what names the file in a package.json stays right with the next one.
    renameSync(join(folder, tarball), join(OUT, `${name}.tgz`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const shown = relative(process.cwd(), OUT) || '.'
console.log(`Packed into ${shown}: ${PUBLISHED.map((name) => `${name}.tgz`).join(', ')}

In a page that has Sentry's SDK, npm install these two (one needs the other):
  npm install ${join(OUT, 'browser.tgz')} ${join(OUT, 'sentry-integration.tgz')}
Without Sentry's SDK: browser.tgz, and for React react.tgz beside it.`)
