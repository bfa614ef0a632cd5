/** What the SDK in pages weighs and what of it sent nothing, on the real engine. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sdkWeight, SDK_WEIGHTS, unusedIntegrations } from '@sonde/queries'
import { encodeOutcomeRow, type EventFields } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness, type OrgGrant } from '../harness.ts'
import { spanIdOf, traceFixture } from '../trace-fixture.ts'

const DAY_MS = 86_400_000
const eventOf = (
  integrations: readonly string[],
  version: string,
  more: Partial<EventFields> = {},
): Partial<EventFields> => ({
  sdkName: 'sentry.javascript.react',
  sdkVersion: version,
  payload: JSON.stringify({ sdk: { name: 'sentry.javascript.react', version, integrations } }),
  ...more,
})

describe('the weight of the SDK', () => {
  let harness: Harness
  let org: OrgGrant
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
  })
  after(() => harness.close())

  it('is that of the newest version, with what sent nothing in 30 days', async () => {
    const shop = await harness.project(org, 'shop')
    const { projectId } = shop
    await harness.events(projectId, 1, [
      eventOf(['BrowserTracing', 'Replay', 'HttpClient', 'CaptureConsole', 'Dedupe'], '11.12.0'),
      eventOf(['BrowserTracing'], '10.1.0', {
        timestampMs: NOW_MS - 2 * DAY_MS,
        tags: { mechanism: 'auto.http.client.fetch' },
      }),
      // Of a server, and too old to count.
      eventOf(['Express'], '10.9.0', { platform: 'node', sdkName: 'sentry.javascript.node' }),
      eventOf(['Feedback'], '9.0.0', {
        timestampMs: NOW_MS - 40 * DAY_MS,
        receivedMs: NOW_MS - 40 * DAY_MS,
        tags: { mechanism: 'console' },
      }),
    ])
    const outcome = (category: string, outcomeName: 'accepted' | 'client_discard', quantity: number) => ({
      projectId,
      atMs: NOW_MS - DAY_MS,
      keyId: 1,
      category,
      outcome: outcomeName,
      reason: '',
      quantity,
    })
    await harness.telemetry.insert(
      'outcomes',
      [
        outcome('error', 'accepted', 2),
        outcome('log_byte', 'accepted', 900),
        outcome('replay', 'client_discard', 7),
        { ...outcome('replay', 'accepted', 3), atMs: NOW_MS - 45 * DAY_MS },
      ].map(encodeOutcomeRow),
      'outcomes-weight',
    )
    await traceFixture(harness, 'a'.repeat(32), projectId).spans([
      { isSegment: true, op: 'pageload', name: '/', sampleRate: 0.25, spanId: spanIdOf(1) },
      ...[900, 1_100].map((bytes, at) => ({
        op: 'resource.script',
        name: `https://browser.sentry-cdn.com/11.12.0/bundle.min.js?${at}`,
        normalizedName: 'https://browser.sentry-cdn.com/*/bundle.min.js',
        bytes,
        decodedBytes: 4_000,
      })),
      { op: 'resource.script', name: '/assets/app-B3kx81Qz.js', normalizedName: '/assets/app-*.js' },
      {
        op: 'ui.long-animation-frame',
        durationMs: 80,
        attributes: { 'code.filepath': 'https://browser.sentry-cdn.com/11.12.0/bundle.min.js' },
      },
      {
        op: 'ui.long-animation-frame',
        durationMs: 120,
        attributes: { 'code.filepath': '/assets/app-B3.js' },
      },
    ])

    const found = await sdkWeight(harness.deps, shop)
    assert.deepEqual(
      found.sdks.map(({ version, integrations }) => [version, integrations.length]),
      [
        ['11.12.0', 5],
        ['10.1.0', 1],
      ],
    )
    const { integrations: weights, baseGzipBytes } = SDK_WEIGHTS
    assert.deepEqual(
      found.integrations.map(({ name, gzipBytes, sent, discarded }) => [name, gzipBytes, sent, discarded]),
      [
        ['Replay', weights.Replay, 0, 7],
        ['BrowserTracing', weights.BrowserTracing, 1, 0],
        ['HttpClient', weights.HttpClient, 1, 0],
        ['CaptureConsole', weights.CaptureConsole, 0, 0],
        // In every bundle, and what it drops leaves nothing behind.
        ['Dedupe', undefined, undefined, 0],
      ],
    )
    assert.deepEqual(
      unusedIntegrations(found).map(({ name }) => name),
      ['Replay', 'CaptureConsole'],
    )
    const added = ['Replay', 'BrowserTracing', 'HttpClient', 'CaptureConsole'].map((name) => weights[name]!)
    assert.equal(
      found.sdks.find(({ gzipBytes }) => gzipBytes !== undefined)?.gzipBytes,
      added.reduce((sum, bytes) => sum + bytes, baseGzipBytes),
    )
    assert.equal(found.pageLoads, 4)
    assert.deepEqual(found.received, [{ category: 'error', items: 2 }])
    const [script, ...more] = found.scripts
    assert.deepEqual(
      [script?.transferBytes, script?.decodedBytes, script?.loads, more.length],
      [1_000, 4_000, 2, 0],
    )
    assert.deepEqual(found.frames, { count: 2, ms: 200, sdkCount: 1, sdkMs: 80 })
  })

  it('is not known of a project without events of a page', async () => {
    const empty = await harness.project(org, 'empty')
    assert.deepEqual(await sdkWeight(harness.deps, empty), {
      sdks: [],
      integrations: [],
      pageLoads: 0,
      received: [],
      scripts: [],
      frames: undefined,
    })
  })
})
