/** Lines of logs by `@sentry/node` as it comes from npm, and over OTLP, against the built Sonde. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertOutcomes } from './support/counts.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { logLines } from './support/log-lines.ts'
import { runProgram } from './support/run-program.ts'

let harness: Harness
let ids: { readonly trace: string }

before(async () => {
  harness = await openHarness('node')
  const program = join(import.meta.dirname, 'node', 'logs.ts')
  const run = await runProgram(process.execPath, [program], harness.project.dsn)
  assert.equal(run.code, 0, run.stderr)
  ids = JSON.parse(run.stdout) as typeof ids
})
after(() => harness?.close())

test('every level of Sentry.logger is a line of its trace, in the order in which they were written', async () => {
  const data = await logLines(
    harness,
    `trace:${ids.trace}`,
    ['severity', 'message', 'release', 'environment'],
    6,
  )
  assert.deepEqual(data.map(({ severity, message }) => [severity, message]).toReversed(), [
    ['trace', 'opened the file'],
    ['debug', 'read the header'],
    ['info', 'imported 3 products from catalogue.csv'],
    ['warn', 'price is missing'],
    ['error', 'could not reach the warehouse'],
    ['fatal', 'gave up'],
  ])
  for (const line of data)
    assert.deepEqual([line['release'], line['environment']], ['shop@1.4.2', 'compat-node'])
})

test('attributes keep their types; template and parameters of a message are kept', async () => {
  const [warned] = await logLines(harness, 'sku:B-17 price:<1', ['sku', 'price', 'sdk.name'], 1)
  assert.deepEqual(
    [warned?.['sku'], warned?.['price'], warned?.['sdk.name']],
    ['B-17', '0.5', 'sentry.javascript.node'],
  )
  const fields = ['sentry.message.template', 'sentry.message.parameter.1', 'import.ok']
  const [imported] = await logLines(harness, 'imported', fields, 1)
  assert.match(String(imported?.['sentry.message.template']), /^imported .+ products from .+$/)
  assert.deepEqual(
    [imported?.['sentry.message.parameter.1'], imported?.['import.ok']],
    ['catalogue.csv', 'true'],
  )
})

const AT_NANOS = `${Date.now() - 5_000}000000`
const record = (body: string) => ({
  timeUnixNano: AT_NANOS,
  severityNumber: 17,
  severityText: 'ERROR',
  body: { stringValue: body },
  attributes: [{ key: 'order.id', value: { intValue: '9223372036854775807' } }],
})
const resource = { attributes: [{ key: 'service.version', value: { stringValue: 'otel@2.0' } }] }
const request = (body: string) => ({
  resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'shop' }, logRecords: [record(body)] }] }],
})

test('OpenTelemetry may send them as JSON, also compressed, at both addresses', async () => {
  const { sonde, project } = harness
  for (const place of ['otlp', 'integration/otlp']) {
    const answer = await fetch(`${sonde.url}/api/${project.id}/${place}/v1/logs`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-sentry-auth': `sentry sentry_key=${project.publicKey}`,
      },
      body: gzipSync(JSON.stringify(request(`declined at ${place}`))),
    })
    assert.deepEqual([answer.status, await answer.text()], [200, '{}'])
  }
  const data = await logLines(harness, 'declined release:otel@2.0', ['severity', 'order.id'], 2)
  for (const line of data)
    assert.deepEqual([line['severity'], line['order.id']], ['error', '9223372036854775807'])
})

test('every line is counted, and nothing was refused', async () => {
  await assertOutcomes(harness, [{ category: 'log_item', outcome: 'accepted', reason: '', quantity: 8 }])
})
