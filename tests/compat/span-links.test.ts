/** Links of spans by `@sentry/node` as it comes from npm, on the built Sonde's trace page: there, and back. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { signedInPlain } from '../e2e/plain-page.ts'
import { apiClient } from '../harness/api-client.ts'
import { type Harness, openHarness } from './support/harness.ts'
import { runProgram } from './support/run-program.ts'
import type { Trace } from './support/trace.ts'

type Ids = { readonly traceId: string; readonly spanId: string }
let harness: Harness
let ids: { readonly sent: Ids; readonly batch: Ids & { readonly child: Ids } }

before(async () => {
  harness = await openHarness('node')
  const run = await runProgram(
    process.execPath,
    [join(import.meta.dirname, 'node', 'links.ts')],
    harness.project.dsn,
  )
  assert.equal(run.code, 0, run.stderr)
  ids = JSON.parse(run.stdout) as typeof ids
  for (const { traceId } of [ids.sent, ids.batch])
    await apiClient(harness.sonde).until<Trace>(
      `/api/0/organizations/acme/trace/${traceId}/`,
      ({ transactions }) => transactions.length > 0,
    )
})
after(() => harness?.close())

test('a transaction and its child lead to the span that they link to, which leads back to both', async () => {
  const { sent, batch } = ids
  const page = await signedInPlain(harness.sonde.url)
  for (const span of [batch, batch.child]) {
    await page.goto(`/acme/traces/${span.traceId}?span=${span.spanId}`)
    page.shows('Links to')
    page.shows('send orders')
    page.part(`.span-links a[href="/acme/traces/${sent.traceId}?span=${sent.spanId}"]`)
  }
  await page.goto(`/acme/traces/${batch.traceId}?span=${batch.spanId}`)
  page.shows('order-7')
  await page.goto(`/acme/traces/${sent.traceId}?span=${sent.spanId}`)
  page.shows('Linked from')
  for (const span of [batch, batch.child])
    page.part(`.span-links a[href="/acme/traces/${span.traceId}?span=${span.spanId}"]`)
})
