import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@sonde/base'
import { readConfig } from '../src/config/config.ts'

test('without any variable, Sonde listens on 127.0.0.1:8600 and keeps its data below ./data', () => {
  const config = readConfig({})
  assert.equal(config.port, 8600)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.publicUrl, 'http://127.0.0.1:8600')
  assert.ok(config.dataDir.endsWith('/data'))
})

for (const [name, value] of [
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['SONDE_PUBLIC_URL', 'sonde.example.com'],
  ['SONDE_PUBLIC_URL', 'https://example.com/sonde'],
  ['SONDE_OWNER_EMAIL', 'nobody'],
  ['SONDE_REGIONS', '{"eu":"ftp://x"}'],
  ['SONDE_REGIONS', 'eu=https://x'],
  ['SONDE_RETENTION_DAYS', '0'],
  ['SONDE_TRUST_PROXY', 'true'],
  // It was the word for believing everything that a client writes.
  ['SONDE_TRUST_PROXY', 'yes'],
  ['SONDE_TRUST_PROXY', '0'],
  ['SONDE_TRUST_PROXY', '10.0.0.0/8,nginx'],
  ['SONDE_LOG_LEVEL', 'loud'],
  ['SONDE_SPIKE_LIMIT_EVENTS', 'none'],
  ['SONDE_SPIKE_LIMIT_BYTES', '-1'],
  ['SONDE_SECURITY_CONTACT', 'security@example.com'],
  ['SONDE_SECURITY_CONTACT', 'https://x\nContact: mailto:evil@example.com'],
] as const) {
  test(`${name}=${value} stops the start and names the variable, its value and what is allowed`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes(name) &&
        error.message.includes(value) &&
        /allowed is/.test(error.message),
    )
  })
}

test('a refused password is not repeated in the message', () => {
  assert.throws(
    () => readConfig({ SONDE_OWNER_PASSWORD: 'short1' }),
    (error) =>
      error instanceof ConfigError &&
      /SONDE_OWNER_PASSWORD: .*allowed is/.test(error.message) &&
      !error.message.includes('short1'),
  )
})

test('an empty variable counts as unset', () => {
  assert.equal(readConfig({ PORT: '' }).port, 8600)
})

test('screens report by themselves only while this machine alone reaches Sonde', () => {
  const selfReport = (env: NodeJS.ProcessEnv) => readConfig(env).selfReport
  assert.equal(selfReport({}), 'on')
  for (const HOST of ['127.0.0.1', '127.8.0.2', '::1', 'localhost']) assert.equal(selfReport({ HOST }), 'on')
  for (const HOST of ['0.0.0.0', '::', '192.168.1.4', '127.example.com'])
    assert.equal(selfReport({ HOST }), 'reachable', HOST)
  assert.equal(selfReport({ SONDE_PUBLIC_URL: 'https://sonde.example.com' }), 'reachable')
  assert.equal(selfReport({ SONDE_PUBLIC_URL: 'http://localhost:8600' }), 'on')
  assert.equal(selfReport({ HOST: '0.0.0.0', SONDE_SELF_REPORT: 'on' }), 'on')
  assert.equal(selfReport({ SONDE_SELF_REPORT: 'off' }), 'off')
})

test('spikes are held back unless somebody says they are not', () => {
  assert.deepEqual(readConfig({}).spikes, { events: 6_000, spans: 120_000, bytes: 100_000_000 })
  const env = { SONDE_SPIKE_LIMIT_EVENTS: 'off', SONDE_SPIKE_LIMIT_SPANS: '0', SONDE_SPIKE_LIMIT_BYTES: '7' }
  assert.deepEqual(readConfig(env).spikes, { bytes: 7 })
  assert.deepEqual(readConfig({}).newcomers, { issue: 100, release: 20 })
  assert.deepEqual(readConfig({ SONDE_SPIKE_LIMIT_ISSUES: 'off' }).newcomers, { release: 20 })
})

test('trusted proxies are a number of them or their addresses', () => {
  const trustProxy = (value: string) => readConfig({ SONDE_TRUST_PROXY: value }).trustProxy
  assert.equal(trustProxy('no'), 0)
  assert.equal(trustProxy('2'), 2)
  assert.deepEqual(trustProxy('10.0.0.0/8, fd00::1'), ['10.0.0.0/8', 'fd00::1'])
})

test('a bucket needs both of its keys, and none of them nor a key within its address is shown', () => {
  const url = 's3://sonde?endpoint=http://127.0.0.1:9000'
  const keys = { SONDE_BLOBS_ACCESS_KEY: 'the-id', SONDE_BLOBS_SECRET_KEY: 'the-secret' }
  assert.deepEqual(readConfig({ SONDE_BLOBS_URL: url, ...keys }).engines.blobs, {
    url,
    keys: { accessKey: 'the-id', secretKey: 'the-secret' },
  })
  for (const env of [
    { ...keys, SONDE_BLOBS_URL: 's3://the-id:the-secret@sonde' },
    { ...keys, SONDE_BLOBS_URL: url, SONDE_BLOBS_ACCESS_KEY: '' },
    { ...keys, SONDE_BLOBS_URL: url, SONDE_BLOBS_SECRET_KEY: '' },
    { ...keys, SONDE_BLOBS_URL: url, SONDE_BLOBS_SECRET_KEY: 'the-secret with spaces' },
  ])
    assert.throws(
      () => readConfig(env),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes('SONDE_BLOBS_') &&
        !error.message.includes('the-secret'),
    )
})

test('a ClickHouse cluster is of a server that is named', () => {
  const url = 'http://sonde:secret@ch1:8123/sonde'
  const { engines } = readConfig({ SONDE_CLICKHOUSE_URL: url, SONDE_CLICKHOUSE_CLUSTER: 'prod-1' })
  assert.deepEqual(engines.telemetry, { url, cluster: 'prod-1' })
  assert.deepEqual(readConfig({ SONDE_CLICKHOUSE_URL: url }).engines.telemetry, { url })
  assert.throws(
    () => readConfig({ SONDE_CLICKHOUSE_CLUSTER: 'prod-1' }),
    (error) =>
      error instanceof ConfigError &&
      /SONDE_CLICKHOUSE_CLUSTER: needs SONDE_CLICKHOUSE_URL/.test(error.message),
  )
  assert.throws(
    () => readConfig({ SONDE_CLICKHOUSE_URL: url, SONDE_CLICKHOUSE_CLUSTER: "a'b" }),
    /letters, digits/,
  )
})
