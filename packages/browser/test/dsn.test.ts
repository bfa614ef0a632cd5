import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDsn as parseOnServer } from '@sonde/protocol/dsn'
import { parseDsn } from '../src/api.ts'
import { endpointsOf } from '../src/transport/transport.ts'

const KEY = '0123456789abcdef0123456789abcdef'

test('a DSN is read as the server reads it', () => {
  for (const text of [
    `https://${KEY}@sonde.example/42`,
    `http://${KEY}@127.0.0.1:8600/1`,
    `https://${KEY}:secret@sonde.example/42`,
    `https://${KEY}:@sonde.example/42/`,
    `https://${KEY}@o77.ingest.de.sonde.example:8443/mounted/here/42`,
  ]) {
    const server = parseOnServer(text)!
    const port = server.port === undefined ? '' : `:${server.port}`
    const { origin, publicKey, projectId, orgId } = parseDsn(text)!
    assert.deepEqual(
      [origin, publicKey, projectId, orgId],
      [
        `${server.scheme}://${server.host}${port}${server.path}`,
        server.publicKey,
        server.projectId,
        server.orgId,
      ],
    )
  }
})

test('what is no DSN is refused', () => {
  for (const text of [
    '',
    'nonsense',
    `${KEY}@sonde.example/1`,
    `https://sonde.example/1`,
    `https://${KEY}@sonde.example/`,
    `https://${KEY}@sonde.example/x`,
  ])
    assert.equal(parseDsn(text), undefined, text)
})

test('R2 organization and region are taken from hosts of the form o77.ingest.de', () => {
  const { orgId, region } = parseDsn(`https://${KEY}@o77.ingest.de.sonde.example/42`)!
  assert.deepEqual([orgId, region], ['77', 'de'])
  assert.equal(parseDsn(`https://${KEY}@o77.sonde.example/42`)?.region, undefined)
  assert.equal(parseDsn(`https://${KEY}@sonde.example/42`)?.orgId, undefined)
})

test('R3 a server below a path keeps it', () => {
  const dsn = parseDsn(`https://${KEY}@sonde.example/mounted/42`)!
  assert.match(
    endpointsOf(dsn, { dsn: '' })[0] ?? '',
    /^https:\/\/sonde\.example\/mounted\/api\/42\/envelope\/\?/,
  )
})
