import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { chunkFailures } from '@sonde/queries'
import { upload } from '../artifacts/uploads.ts'
import { type Harness, MINUTE_MS, NOW_MS, openHarness } from '../harness.ts'
import { performanceRows } from '../performance/rows.ts'

let harness: Harness

describe('files that a tab asks for in vain', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('belong to the releases whose upload had them, and are gone since the next one', async () => {
    const org = await harness.org('acme')
    const shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    const put = (release: string, names: readonly string[], project = shop) =>
      upload(
        harness,
        org,
        [project],
        { release },
        names.map((name) => ({ built_name: name, url: `~/${name}` })),
      )
    await put('shop@1.3.0', ['vendor-1.js'])
    await put('shop@1.4.0', ['vendor-1.js', 'app-1.js'])
    await put('shop@1.4.1', ['vendor-1.js', 'app-4f2c.js'])
    // A second upload of a release makes it no newer.
    await put('shop@1.4.2', ['app-9a9a.js', '[id]-1.js'])
    await put('shop@1.4.1', ['late-1.js'])
    await put('other@9', ['app-4f2c.js'], other)
    const failed = [
      '/assets/app-4f2c.js',
      '/static/vendor-1.js?v=2',
      '/assets/%5Bid%5D-1.js',
      '/assets/never-1.js',
    ]
    await performanceRows(harness).spans(
      shop.projectId,
      failed.map((url) => ({
        isSegment: false,
        op: 'ui.chunk_failure',
        startMs: NOW_MS - MINUTE_MS,
        attributes: {
          'sonde.chunk.kind': 'old_build',
          'sonde.chunk.url': url,
          'sonde.chunk.build': 'shop@1.4.1',
        },
      })),
    )
    const [card] = await chunkFailures(harness.deps, shop, { fromMs: NOW_MS - 60 * MINUTE_MS, toMs: NOW_MS })
    assert.deepEqual(Object.fromEntries(card?.files.map(({ url, uploaded }) => [url, uploaded]) ?? []), {
      '/assets/app-4f2c.js': { release: 'shop@1.4.1', since: 'shop@1.4.1', removedIn: 'shop@1.4.2' },
      '/static/vendor-1.js?v=2': { release: 'shop@1.4.1', since: 'shop@1.3.0', removedIn: 'shop@1.4.2' },
      '/assets/%5Bid%5D-1.js': { release: 'shop@1.4.2', since: 'shop@1.4.2', removedIn: undefined },
      '/assets/never-1.js': undefined,
    })
  })
})
