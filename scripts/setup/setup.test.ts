/** The first minute, in a small project of its own whose packages are folders: npm is real, and needs no network. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { mountSmallDisk } from '../../tests/crash/small-disk.ts'

const SCRIPTS = join(import.meta.dirname, '..')
const LIBRARY = `@chdb/lib-${process.platform}-${process.arch}-gnu`
const scratch = mkdtempSync(join(tmpdir(), 'sonde-setup-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function write(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

function makeProject(name: string, place = scratch): string {
  const root = join(place, name)
  for (const path of ['setup.mjs', 'engine-library.mjs', 'setup'])
    cpSync(join(SCRIPTS, path), join(root, 'scripts', path), { recursive: true })
  const folder = (dep: string): string => `file:./deps/${dep}`
  write(join(root, 'deps/node/package.json'), { name: 'node', version: '24.0.0' })
  write(join(root, 'deps/node/bin/node'), '')
  const optionalDependencies = { [LIBRARY]: '1.0.0' }
  write(join(root, 'deps/chdb/package.json'), { name: 'chdb', version: '1.0.0', optionalDependencies })
  write(join(root, 'deps/library/package.json'), { name: LIBRARY, version: '1.0.0' })
  write(join(root, 'deps/checker/package.json'), { name: 'checker', version: '1.0.0' })
  write(join(root, 'package.json'), {
    dependencies: { node: folder('node'), chdb: folder('chdb'), [LIBRARY]: folder('library') },
    devDependencies: { checker: folder('checker') },
  })
  npm(root, ['install', '--package-lock-only', '--offline'])
  return root
}

/** This one's settings of npm, such as a folder of the cache, are none of the project's. */
function environment(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const theirs = Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_'))
  return { ...Object.fromEntries(theirs), npm_config_cache: join(scratch, 'cache'), ...extra }
}

function npm(root: string, args: readonly string[]): void {
  const done = spawnSync('npm', args, { cwd: root, env: environment({}), encoding: 'utf8' })
  assert.equal(done.status, 0, done.stderr)
}

function setUp(root: string, set: 'run' | 'all', extra: NodeJS.ProcessEnv = {}) {
  const code = `import { ensureDependencies } from './scripts/setup.mjs'; ensureDependencies('${set}')`
  const args = ['--input-type=module', '-e', code]
  return spawnSync(process.execPath, args, { cwd: root, env: environment(extra), encoding: 'utf8' })
}

const has = (root: string, name: string): boolean => existsSync(join(root, 'node_modules', name))
const marker = (root: string): string => readFileSync(join(root, 'node_modules/.sonde-installed'), 'utf8')
const lockHash = (root: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')

test('a start installs what runs, the tests add the rest, and nothing is done twice', () => {
  const root = makeProject('sets')
  const started = setUp(root, 'run')
  assert.equal(started.status, 0, started.stderr)
  assert.match(started.stdout, /^Installing what Sonde runs with.* \(usually .*\) …\n {2}done in \d+ s\n$/)
  assert.deepEqual([has(root, 'node'), has(root, 'checker')], [true, false])
  assert.equal(marker(root), `run ${lockHash(root)}`)
  assert.equal(setUp(root, 'run').stdout, '')

  assert.match(setUp(root, 'all').stdout, /^Adding what tests and checks need/)
  assert.equal(has(root, 'checker'), true)
  assert.equal(setUp(root, 'all').stdout, '')
  assert.equal(setUp(root, 'run').stdout, '')

  // A new lock file: who had everything has everything again.
  write(join(root, 'package-lock.json'), `${readFileSync(join(root, 'package-lock.json'), 'utf8')}\n`)
  assert.match(setUp(root, 'run').stdout, /^Installing everything/)
  assert.equal(has(root, 'checker'), true)
})

test('the marker of a version that always installed everything means everything', () => {
  const root = makeProject('old-marker')
  npm(root, ['ci', '--offline'])
  writeFileSync(join(root, 'node_modules/.sonde-installed'), lockHash(root))
  assert.equal(setUp(root, 'all').stdout, '')
})

test('a registry that cannot be reached is said, with what to do', () => {
  const root = makeProject('no-network')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: object }>
  }
  const dependencies = { ...manifest.dependencies, 'left-pad': '1.3.0' }
  const resolved = 'https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz'
  lock.packages[''] = { ...lock.packages[''], dependencies }
  lock.packages['node_modules/left-pad'] = { version: '1.3.0', resolved } as object
  write(join(root, 'package.json'), { ...manifest, dependencies })
  write(join(root, 'package-lock.json'), lock)
  const done = setUp(root, 'run', {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  })
  assert.equal(done.status, 1)
  assert.match(
    done.stderr,
    /The package registry http:\/\/127\.0\.0\.1:9\/ cannot be reached\. Check the network/,
  )
})

test('a disk without room is refused before anything is installed', (t) => {
  const disk = mountSmallDisk(8)
  if (typeof disk === 'string') return t.skip(disk)
  try {
    const done = setUp(makeProject('project', disk.dir), 'run')
    assert.equal(done.status, 1)
    assert.match(done.stderr, /Sonde needs 1200 MB of free disk space to install; the disk of .* has \d MB\./)
    assert.equal(has(join(disk.dir, 'project'), 'node'), false)
  } finally {
    disk.remove()
  }
})

/** What a machine would say of itself. */
function pretend(root: string, code: string): NodeJS.ProcessEnv {
  write(join(root, 'pretend.cjs'), code)
  return { NODE_OPTIONS: `--require ${join(root, 'pretend.cjs')}` }
}

test('a Node that is too old is said', () => {
  const root = makeProject('old-node')
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })"
  const done = setUp(root, 'run', pretend(root, old))
  assert.equal(done.status, 1)
  assert.match(
    done.stderr,
    /Sonde needs Node 20 or newer to install; this is Node 18\.20\.4\.\nInstall a newer one/,
  )
})

test('a Linux without glibc, or with an old one, is said', { skip: process.platform !== 'linux' }, () => {
  const root = makeProject('libc')
  const glibc = (header: string) => pretend(root, `process.report.getReport = () => ({ header: ${header} })`)
  const musl = setUp(root, 'run', glibc('{}'))
  assert.equal(musl.status, 1)
  assert.match(musl.stderr, /Sonde needs glibc, and this Linux has another C library/)
  const old = setUp(root, 'run', glibc("{ glibcVersionRuntime: '2.17' }"))
  assert.match(old.stderr, /Sonde needs glibc 2\.28 or newer; this Linux has glibc 2\.17\./)
})

test('what npm says by a code is said in words; what we do not know is shown as it is', () => {
  const root = makeProject('npm-fails')
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
      /^\nThe disk is full\. Free/,
    ],
    ['npm error code EINTEGRITY', /^\nA downloaded package is not what package-lock\.json expects/],
    ['npm error code EACCES', /^\nThis user may not write here\./],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /^\nThe certificate of the package registry/],
    ['npm error code EOTHER', /npm error code EOTHER\nnpm ci --omit=dev .* failed\.\n$/],
  ]
  for (const [output, words] of cases) {
    write(join(root, 'bin/npm'), `#!/bin/sh\ncat >&2 <<END\n${output}\nEND\nexit 1\n`)
    chmodSync(join(root, 'bin/npm'), 0o755)
    const done = setUp(root, 'run', { PATH: `${join(root, 'bin')}:${process.env.PATH}` })
    assert.equal(done.status, 1)
    assert.match(done.stderr, words)
  }
  const none = setUp(root, 'run', { PATH: join(root, 'deps') })
  assert.match(none.stderr, /npm was not found\. It comes with Node/)
})
