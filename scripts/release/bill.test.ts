import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Bill, shippedBill } from './bill.ts'
import { readLock, shipped } from './licences.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('the bill of materials has every package that is shipped, and none that only an example uses', () => {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const whole = JSON.parse(
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  ) as Bill
  const lock = readLock(ROOT)
  const { components, dependencies } = shippedBill(whole, lock)
  const names = new Set(components.map(({ name }) => name))
  for (const place of shipped(lock))
    assert.ok(names.has(place.slice(place.lastIndexOf('node_modules/') + 13)), place)
  assert.ok(whole.components.some(({ name }) => name === '@sentry/vite-plugin'))
  assert.ok(!names.has('@sentry/vite-plugin'))
  const refs = new Set(components.map((one) => one['bom-ref']))
  for (const { dependsOn = [] } of dependencies.filter(({ ref }) => refs.has(ref)))
    for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
})
