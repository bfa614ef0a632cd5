/**
 * Brings a fresh clone to where Sonde runs: dependencies from the lock file, then a build of what is older
 * than its sources. Plain JavaScript without dependencies, because it runs on whatever Node (≥ 20) is there;
 * everything after it runs on the Node 24 that the lock file brings (npm package `node`).
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineLibrary, hasIntegrity, KNOWN_INTEGRITY, trustsRegistry } from './engine-library.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node')
const MARKER = join(ROOT, 'node_modules', '.sonde-installed')
const BUILD_MARKER = join(ROOT, 'dist', '.built-from')
/** What the build reads; a change in any of these makes it stale. */
const BUILD_INPUTS = ['packages', 'scripts/build.ts', 'package-lock.json']

/**
 * `PATH` with the repository's own tools first, so that `node` is Node 24 in every child; and no `NODE_ENV` of the
 * shell's, which would put React's development code into the build.
 */
export function toolEnv(extra = {}) {
  const { NODE_ENV: _theirs, ...env } = process.env
  return { ...env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`, ...extra }
}

export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: toolEnv(), ...options })
  if (done.error) throw done.error
  if (done.status !== 0) {
    process.stderr.write(`\n${command} ${args.join(' ')} ended with ${done.status ?? done.signal}\n`)
    process.exit(done.status ?? 1)
  }
}

/** Runs `npm ci` when the lock file changed since it last did. Quiet unless it fails. */
export function ensureDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  if (existsSync(NODE) && existsSync(MARKER) && readFileSync(MARKER, 'utf8') === wanted) return
  process.stdout.write('Installing dependencies…\n')
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  if (!existsSync(NODE)) {
    process.stderr.write(
      'The npm package "node" brought no Node 24 for this platform. Its install script must be allowed to run\n' +
        '(package.json, allowScripts); then delete node_modules and start again.\n',
    )
    process.exit(1)
  }
  ensureEngineLibrary()
  writeFileSync(MARKER, wanted)
}

/** What the lock file holds, `npm ci` has checked and installed. Anything else only with bytes that match a checksum. */
function ensureEngineLibrary() {
  const mine = engineLibrary(ROOT)
  if (!mine) {
    process.stderr.write(
      `Sonde's telemetry engine (chDB) has no build for ${process.platform} on ${process.arch}.\n`,
    )
    process.exit(1)
  }
  const id = `${mine.name}@${mine.version}`
  if (existsSync(join(ROOT, 'node_modules', mine.name))) return
  let integrity = process.env.SONDE_ENGINE_INTEGRITY ?? KNOWN_INTEGRITY[id]
  if (integrity === undefined) {
    integrity = integrityInRegistry(id)
    process.stdout.write(trustsRegistry(mine, integrity))
  }
  const folder = mkdtempSync(join(tmpdir(), 'sonde-engine-'))
  try {
    run('npm', ['pack', id, '--pack-destination', folder, '--loglevel=error'])
    const [name = ''] = readdirSync(folder)
    if (!hasIntegrity(readFileSync(join(folder, name)), integrity)) {
      process.stderr.write(`${id} is not what ${integrity} stands for: it was not installed.\n`)
      process.exitCode = 1
    } else
      run('npm', ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error', join(folder, name)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (process.exitCode) process.exit()
}

function integrityInRegistry(id) {
  const asked = spawnSync('npm', ['view', id, 'dist.integrity'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: toolEnv(),
  })
  const integrity = asked.stdout?.trim()
  if (asked.status === 0 && integrity) return integrity
  process.stderr.write(`npm's registry has no ${id}, the telemetry engine for this machine:\n${asked.stderr}`)
  return process.exit(1)
}

/** Builds into `dist/` when a source is newer than the last build (by name, size and time of each file). */
export function ensureBuild() {
  const wanted = fingerprint(BUILD_INPUTS)
  if (existsSync(BUILD_MARKER) && readFileSync(BUILD_MARKER, 'utf8') === wanted) return
  process.stdout.write('Building…\n')
  run(NODE, ['scripts/build.ts'])
  mkdirSync(dirname(BUILD_MARKER), { recursive: true })
  writeFileSync(BUILD_MARKER, wanted)
}

function fingerprint(paths) {
  const hash = createHash('sha256')
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return
    if (!stat.isDirectory()) {
      hash.update(`${path}:${stat.size}:${stat.mtimeMs}\n`)
      return
    }
    for (const name of readdirSync(path).sort()) {
      if (name !== 'node_modules' && name !== 'test') visit(join(path, name))
    }
  }
  for (const path of paths) visit(join(ROOT, path))
  return hash.digest('hex')
}
