/**
 * `npm run packages`: builds what pages, builds and people install (`@sonde/browser`, `react`, `sentry-integration`, `tunnel`, `cli`,
 * `vite-plugin`) and packs each into `release/packages/NAME.tgz`, which npm, pnpm and yarn install by its path, with `SHA256SUMS`.
 * Nothing is published.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildBrowserPackages, PUBLISHED } from './build/browser-packages.ts'
import { packPackage, repositoryUrl } from './build/pack-package.ts'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'release', 'packages')

await buildBrowserPackages(ROOT)
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const repository = repositoryUrl(ROOT)
const sums = PUBLISHED.map((name) => {
  const bytes = readFileSync(packPackage(ROOT, name, OUT, repository))
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
})
writeFileSync(join(OUT, 'SHA256SUMS'), sums.map(({ name, sha256 }) => `${sha256}  ${name}.tgz\n`).join(''))
const shown = relative(process.cwd(), OUT) || '.'
console.log(`Packed into ${shown}, with SHA256SUMS:
${sums.map(({ name, bytes }) => `  ${`${name}.tgz`.padEnd(24)}${Math.ceil(bytes / 1_000)} kB`).join('\n')}
${repository === undefined ? '\nWithout a repository, so not for a registry that checks provenance: set SONDE_REPOSITORY.\n' : ''}
In a page that has Sentry's SDK, npm install these two (one needs the other):
  npm install ${join(OUT, 'browser.tgz')} ${join(OUT, 'sentry-integration.tgz')}
Without Sentry's SDK: browser.tgz, and for React react.tgz beside it.`)
