import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRegistryRefusal } from './registry-refusal.ts'

test('what npm could not ask is told from what it found', () => {
  for (const said of [
    'npm warn audit 405 Method Not Allowed - POST https://registry.example/bulk\n\nnpm error audit endpoint returned an error',
    'npm error code ENOTFOUND\nnpm error syscall getaddrinfo',
    'npm error code E404\nnpm error 404 Not Found',
  ])
    assert.equal(isRegistryRefusal(said), true, said)
  for (const said of [
    'left-pad  <1.0\nSeverity: critical\nAn endpoint answers 404 with code E404 - https://github.com/advisories/GHSA-1',
    'audited 300 packages\n\n1 package has an invalid registry signature:\nnpm error audit',
    '',
  ])
    assert.equal(isRegistryRefusal(said), false, said)
})
