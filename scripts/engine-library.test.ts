import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { engineLibrary, hasIntegrity, KNOWN_INTEGRITY } from './engine-library.mjs'

const ROOT = join(import.meta.dirname, '..')

test('bytes are what was vouched for, or they are not installed', () => {
  const bytes = Buffer.from('native code')
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  assert.equal(hasIntegrity(bytes, integrity), true)
  assert.equal(hasIntegrity(Buffer.from('native c0de'), integrity), false)
  const weak = `sha1-${createHash('sha1').update(bytes).digest('base64')}`
  for (const none of [undefined, '', 'sha512-', weak, `${integrity} ${weak}`])
    assert.equal(hasIntegrity(bytes, none), false)
})

test('the library of this machine is known, and checksums here are those of the lock file', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string }>
  }
  const mine = engineLibrary(ROOT)
  assert.ok(mine && packages['node_modules/chdb'])
  assert.equal(engineLibrary(ROOT, { platform: 'sunos', arch: 'sparc' }), undefined)
  const held = Object.entries(packages).filter(([place]) => place.startsWith('node_modules/@chdb/lib-'))
  assert.ok(held.length > 0)
  for (const [place, { version, integrity }] of held) {
    const known = (KNOWN_INTEGRITY as Record<string, string>)[
      `${place.slice('node_modules/'.length)}@${version}`
    ]
    assert.equal(known ?? integrity, integrity)
    assert.match(integrity ?? '', /^sha512-/)
  }
})
