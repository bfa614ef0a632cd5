import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserViewer } from '@sonde/access'
import { createDocument } from '../../src/server/document.server.ts'

const report = { dsn: 'https://0123456789abcdef0123456789abcdef@sonde.test/2', release: 'sonde@1' }
const document = createDocument(() => report)
const request = new Request('http://sonde.test/')
const viewer = { kind: 'user' } as UserViewer

test('the DSN of the screens is told to people who are signed in, and to nobody else', () => {
  assert.match(document({ request, context: { viewer } }).head, /0123456789abcdef@sonde\.test/)
  for (const context of [undefined, { viewer: undefined }])
    assert.doesNotMatch(document({ request, context }).head, /sonde-report|0123456789abcdef/)
})
