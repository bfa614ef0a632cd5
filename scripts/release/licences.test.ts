import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkLicences, isAllowed, licenceProblems, type Lock, readLock, shipped } from './licences.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The real lock file, with one more package that the server needs. */
function withPlanted(entry: object): Lock {
  const lock = readLock(ROOT)
  const server = lock.packages['packages/server']
  assert.ok(server)
  return {
    packages: {
      ...lock.packages,
      'packages/server': { ...server, dependencies: { ...server.dependencies, planted: '^1.0.0' } },
      'node_modules/planted': { version: '1.0.0', dependencies: { deep: '1' }, ...entry },
      'node_modules/planted/node_modules/deep': { version: '1.2.3', license: 'MIT' },
    },
  }
}

test('everything that is shipped may be shipped', () => assert.deepEqual(checkLicences(ROOT), []))

test('a package under the GPL is found, also deep below another', () => {
  assert.deepEqual(licenceProblems(withPlanted({ license: 'GPL-3.0-only' })), [
    'planted@1.0.0 is under GPL-3.0-only, which may not be shipped',
  ])
  const { packages } = withPlanted({ license: 'MIT' })
  const deep = { 'node_modules/planted/node_modules/deep': { version: '1.2.3', license: 'AGPL-3.0-only' } }
  assert.deepEqual(licenceProblems({ packages: { ...packages, ...deep } }), [
    'deep@1.2.3 is under AGPL-3.0-only, which may not be shipped',
  ])
})

test('a package that says no licence is found, and so is one that only looks known', () => {
  assert.match(licenceProblems(withPlanted({})).join(), /^planted@1\.0\.0 says no licence/)
  assert.equal(licenceProblems(withPlanted({ license: 'SEE LICENSE IN LICENSE.md' })).length, 1)
})

test('what only builds and tests is not shipped, and what runs is', () => {
  const places = shipped(readLock(ROOT))
  for (const name of ['node', 'chdb', 'kysely', 'react'])
    assert.ok(places.includes(`node_modules/${name}`), name)
  for (const name of ['typescript', 'playwright-core', 'oxlint', 'vite', 'rolldown'])
    assert.ok(!places.includes(`node_modules/${name}`))
})

test('of two licences one to choose is enough, of two that both hold neither may miss', () => {
  assert.ok(isAllowed('(MIT OR GPL-2.0-only)'))
  assert.ok(isAllowed('MIT AND ISC'))
  assert.ok(!isAllowed('MIT AND GPL-2.0-only'))
  assert.ok(!isAllowed('(MIT OR GPL-2.0) AND GPL-3.0'))
  assert.ok(!isAllowed(''))
})
