/**
 * What is in a release archive: the build, and of `node_modules` only what the build could not bundle, which is the telemetry
 * engine. Everything else is in the bundles already; its licences are in NOTICES.txt.
 */
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { licenceOf, neededBy, readLock, shipped } from '../release/licences.ts'

/** Native code: it stays outside of the bundle (scripts/build/server-bundle.ts). */
const NOT_BUNDLED = ['chdb'] as const
const LINKED_FROM_BYTES = 1_000_000

type Manifest = { readonly version: string; readonly license: string }

const readManifest = (root: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

export const archiveName = (root: string): string =>
  `sonde-${readManifest(root).version}-${process.platform}-${process.arch}`

/** Fills `target`, which is emptied before. Needs a build in `dist` and the dependencies that a start installs. */
export function stageArchive(root: string, target: string): void {
  rmSync(target, { recursive: true, force: true })
  for (const part of readdirSync(join(root, 'dist'), { withFileTypes: true }))
    if (part.isDirectory()) copy(join(root, 'dist', part.name), join(target, 'dist', part.name))
  const lock = readLock(root)
  const roots = NOT_BUNDLED.map((name) => `node_modules/${name}`)
  for (const place of [...roots, ...neededBy(lock, roots)])
    // The engine's libraries for other platforms are in the lock file only.
    if (existsSync(join(root, place))) copy(join(root, place), join(target, place))
  const { version, license } = readManifest(root)
  const manifest = {
    name: 'sonde',
    version,
    private: true,
    license,
    type: 'module',
    engines: { node: '>=24' },
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(import.meta.dirname, 'sonde.mjs'), join(target, 'sonde.mjs'))
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  cpSync(join(root, 'docs', 'operate', 'release-archive.md'), join(target, 'README.md'))
  writeFileSync(join(target, 'NOTICES.txt'), notices(root))
}

/** The engine's library has half a gigabyte: linked where that is possible. */
function copy(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true })
    for (const name of readdirSync(from)) if (name !== 'node_modules') copy(join(from, name), join(to, name))
    return
  }
  mkdirSync(dirname(to), { recursive: true })
  if (statSync(from).size >= LINKED_FROM_BYTES) {
    try {
      return linkSync(from, to)
    } catch {
      // Another file system.
    }
  }
  cpSync(from, to)
}

/** Names, versions and licence texts of everything that is shipped: most licences ask for exactly that. */
function notices(root: string): string {
  const lock = readLock(root)
  const texts = shipped(lock)
    .filter((place) => existsSync(join(root, place)))
    .sort()
    .map((place) => {
      const files = readdirSync(join(root, place)).filter((name) =>
        /^(licen[cs]e|notice)([.-]|$)/i.test(name),
      )
      const text = files.map((name) => readFileSync(join(root, place, name), 'utf8').trim()).join('\n\n')
      return `${place.replace(/^.*node_modules\//, '')} ${lock.packages[place]?.version} (${licenceOf(lock, place)})\n\n${text}`
    })
  return `Sonde contains the following software of others.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
