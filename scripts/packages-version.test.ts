import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PUBLISHED } from './build/browser-packages.ts'
import { repositoryUrl } from './build/pack-package.ts'

const ROOT = join(import.meta.dirname, '..')
type Manifest = { version: string; dependencies?: Record<string, string> }
const manifestOf = (dir: string, name: string) =>
  JSON.parse(readFileSync(join(dir, 'packages', name, 'package.json'), 'utf8')) as Manifest

test('a change that is described becomes one version of all packages, with changelogs, in a clone', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-version-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: dir, stdio: 'pipe' })
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, dir])
  git('reset', '--quiet')
  git('checkout', '--', 'package.json', 'packages/*/package.json')
  // As they are here, committed or not.
  for (const path of [
    '.changeset',
    'package.json',
    'package-lock.json',
    ...PUBLISHED.map((name) => `packages/${name}/package.json`),
  ])
    cpSync(join(ROOT, path), join(dir, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  const before = manifestOf(dir, 'cli').version
  writeFileSync(
    join(dir, '.changeset', 'a-change.md'),
    '---\n"@sonde/cli": minor\n---\n\n`sonde tail` in colour.\n',
  )
  const changeset = join(ROOT, 'node_modules', '.bin', 'changeset')
  execFileSync(changeset, ['version'], { cwd: dir, stdio: 'pipe' })
  const [major = 0, minor = 0] = before.split('.').map(Number)
  const next = `${major}.${minor + 1}.0`
  for (const name of PUBLISHED) {
    const { version, dependencies = {} } = manifestOf(dir, name)
    assert.equal(version, next, name)
    for (const [dependency, range] of Object.entries(dependencies))
      if (dependency.startsWith('@sonde/')) assert.equal(range, `^${next}`, `${name} needs ${dependency}`)
  }
  assert.match(readFileSync(join(dir, 'packages', 'cli', 'CHANGELOG.md'), 'utf8'), /`sonde tail` in colour\./)
  assert.equal(existsSync(join(dir, '.changeset', 'a-change.md')), false)
  const changed = git('status', '--porcelain').toString()
  assert.doesNotMatch(
    changed,
    /^ M packages\/(?:server|web|stores)\//m,
    'private packages keep their version',
  )
})

test('the repository of provenance is an address of https, whatever git calls it', () => {
  for (const given of [
    'https://git.example/acme/sonde',
    'git@git.example:acme/sonde.git',
    'ssh://git@git.example/acme/sonde.git',
  ])
    assert.equal(repositoryUrl(ROOT, { SONDE_REPOSITORY: given }), 'git+https://git.example/acme/sonde.git')
  assert.equal(repositoryUrl(ROOT, { SONDE_REPOSITORY: '/srv/git/sonde' }), undefined)
})
