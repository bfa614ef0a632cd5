/**
 * Brings a fresh clone to where Sonde runs: dependencies from the lock file, then a build of what is older
 * than its sources. Plain JavaScript without dependencies, because it runs on whatever Node (≥ 20) is there;
 * everything after it runs on the Node 24 that the lock file brings (npm package `node`).
 *
 * There are two sets of dependencies: `run` is what runs Sonde and what builds it (`npm ci --omit=dev`), `all` has what
 * tests, checks and benchmarks need besides. Why: docs/decisions/0027-what-a-start-installs.md.
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
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineLibrary, hasIntegrity, KNOWN_INTEGRITY, trustsRegistry } from './engine-library.mjs'
import { machineProblem } from './setup/machine.mjs'
import { npmFailure } from './setup/npm-failure.mjs'
import { runStep } from './setup/run-step.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node')
const MARKER = join(ROOT, 'node_modules', '.sonde-installed')
const BUILD_MARKER = join(ROOT, 'dist', '.built-from')
const NPM_QUIET = ['--no-fund', '--no-audit', '--no-progress']
/** What the build reads; a change in any of these makes it stale. */
const BUILD_INPUTS = [
  'packages',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'scripts/build.ts',
  'scripts/docs-site',
  'package-lock.json',
]

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

/**
 * Installs when the lock file changed since the last time, or when more is needed than was installed. `set` is `run` or
 * `all`. Progress goes to `fd`; nothing is printed when everything is there.
 */
export function ensureDependencies(set = 'all', fd = 1) {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  const found = existsSync(NODE) ? readMarker() : undefined
  if (found?.lock === wanted && (found.set === 'all' || set === 'run')) return
  // After an update of the lock file a folder with everything gets everything again.
  const next = found?.set === 'all' ? 'all' : set
  refuse(machineProblem(ROOT, next))
  const packages = packagesToFetch(JSON.parse(lock.toString()), next)
  // `npm ci` has held this lock file against package.json already: what is missing can be added to what is there.
  if (found?.lock === wanted)
    installStep('Adding what tests and checks need', ['install', '--no-save'], packages, fd)
  else if (next === 'run')
    installStep('Installing what Sonde runs with, about 250 MB to fetch', ['ci', '--omit=dev'], packages, fd)
  else
    installStep(
      'Installing everything, tests and checks included, about 400 MB to fetch',
      ['ci'],
      packages,
      fd,
    )
  if (!existsSync(NODE)) {
    process.stderr.write(
      'The npm package "node" brought no Node 24 for this platform. Its install script must be allowed to run\n' +
        '(package.json, allowScripts); then delete node_modules and start again.\n',
    )
    process.exit(1)
  }
  ensureEngineLibrary(next, fd)
  writeFileSync(MARKER, `${next} ${wanted}`)
}

/** For a folder with a lock file of its own, such as an example: installs what that holds. */
export function ensureOwnDependencies(folder, fd = 1) {
  const lock = readFileSync(join(ROOT, folder, 'package-lock.json'))
  const marker = join(ROOT, folder, 'node_modules', '.sonde-installed')
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  const packages = packagesToFetch(JSON.parse(lock.toString()), 'all')
  installStep(`Installing what ${folder} needs`, ['ci'], packages, fd, join(ROOT, folder))
  writeFileSync(marker, wanted)
}

/** A marker without a word before the hash is of a version that always installed everything. */
function readMarker() {
  if (!existsSync(MARKER)) return undefined
  const words = readFileSync(MARKER, 'utf8').split(' ')
  return { lock: words.pop(), set: words[0] ?? 'all' }
}

function refuse(problem) {
  if (!problem) return
  process.stderr.write(`\n${problem}\n`)
  process.exit(1)
}

/** How many packages npm fetches at most, for the progress shown. */
function packagesToFetch({ packages }, set) {
  const fits = (list, mine) => list === undefined || list.includes(mine)
  return Object.entries(packages).filter(
    ([path, one]) =>
      path.includes('node_modules/') &&
      !one.link &&
      fits(one.os, process.platform) &&
      fits(one.cpu, process.arch) &&
      !one.libc?.includes('musl') &&
      (set === 'all' || !one.dev),
  ).length
}

function installStep(title, args, packages, fd, cwd = ROOT) {
  // `http`: a line for each package that arrives, which is counted and not shown.
  const all = [...args, ...NPM_QUIET, '--loglevel=http']
  const step = { title, usually: '20 s to 3 minutes', command: 'npm', args: all, packages, cwd }
  ensureStep(step, fd, ({ missing, output }) => {
    if (missing) return 'npm was not found. It comes with Node: https://nodejs.org/en/download'
    const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/'
    return npmFailure(output, registry)
  })
}

/** Ends this process when the step fails: with the words of `explain`, or with the end of what was printed. */
function ensureStep(step, fd, explain) {
  const done = runStep({ cwd: ROOT, ...step }, { env: toolEnv(), fd })
  if (done.ok) return
  const words = explain(done)
  const command = `${step.command} ${step.args.join(' ')}`
  process.stderr.write(words ? `\n${words}\n` : `\n${done.output}\n${command} failed.\n`)
  process.exit(1)
}

/** What the lock file holds, `npm ci` has checked and installed. Anything else only with bytes that match a checksum. */
function ensureEngineLibrary(set, fd) {
  const toFd = { stdio: ['ignore', fd, 'inherit'] }
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
    writeSync(fd, trustsRegistry(mine, integrity))
  }
  const folder = mkdtempSync(join(tmpdir(), 'sonde-engine-'))
  try {
    run('npm', ['pack', id, '--pack-destination', folder, '--loglevel=error'], toFd)
    const [name = ''] = readdirSync(folder)
    if (!hasIntegrity(readFileSync(join(folder, name)), integrity)) {
      process.stderr.write(`${id} is not what ${integrity} stands for: it was not installed.\n`)
      process.exitCode = 1
    } else {
      const omit = set === 'run' ? ['--omit=dev'] : []
      run(
        'npm',
        ['install', '--no-save', ...omit, ...NPM_QUIET, '--loglevel=error', join(folder, name)],
        toFd,
      )
    }
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
export function ensureBuild(fd = 1) {
  const wanted = fingerprint(BUILD_INPUTS)
  if (existsSync(BUILD_MARKER) && readFileSync(BUILD_MARKER, 'utf8') === wanted) return
  const step = { title: 'Building the server, the screens and the documentation', usually: '5 to 30 s' }
  ensureStep({ ...step, command: NODE, args: ['scripts/build.ts'] }, fd, ({ output }) =>
    /\bENOSPC\b/.test(output)
      ? 'The disk is full. Free about 100 MB, then run the command again.'
      : undefined,
  )
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
