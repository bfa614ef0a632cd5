/** Scripts without a debug id, of releases without errors: found by their name among what the plugin uploaded. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { spanDetail } from '@sonde/queries'
import { upload } from '../artifacts/uploads.ts'
import { type Harness, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from '../performance/rows.ts'
import { type BuiltFile, buildShop, resolverOf } from './built-shop.ts'

const [ID, OTHER] = ['eeeeeeee-0000-4000-8000-000000000001', 'eeeeeeee-0000-4000-8000-000000000002'] as const
const URL = 'https://shop.example/assets/main-a1.js'

describe('a script that nobody told the debug id of', () => {
  let harness: Harness
  let shop: ProjectGrant
  let file: BuiltFile
  let rows: ReturnType<typeof performanceRows>
  let spans = 0

  async function asked(release: string, { dist = '', url = URL, project = shop } = {}) {
    const { resolvePositions, asked } = resolverOf({ byDebugId: new Map([[ID, file]]) })
    const [traceId, spanId] = [hexTrace(0xe0), hexId(++spans)]
    const attributes = {
      'code.filepath': url,
      'browser.script.source_char_position': file.characterOf('recalcTaxes'),
      ...(dist && { 'sentry.dist': dist }),
    }
    await rows.spans(project.projectId, [{ isSegment: false, traceId, spanId, release, attributes }])
    const span = await spanDetail({ ...harness.deps, resolvePositions }, project, { traceId, spanId })
    return { ids: asked.map(([position]) => position?.debugId), span }
  }

  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    file = await buildShop(URL, false)
    const put = (release: string, dist: string, debugId: string, name = 'main-a1.js', project = shop) =>
      upload(harness, org, [project], { release, dist }, [
        { built_name: name, url: `~/${debugId}-0.js`, debug_id: debugId },
        { built_name: name, url: `~/${debugId}-0.js.map`, debug_id: debugId, type: 'source_map' },
      ])
    await put('shop@1', '', ID)
    await put('shop@2', '7', ID)
    await put('shop@2', '8', OTHER)
    await put('shop@3', '', ID)
    await put('shop@3', '', OTHER)
    await put('shop@4', '', ID, 'main-a1.js', other)
    await put('shop@5', '', ID, 'page[id].js')
  })
  after(() => harness.close())

  it('is found by release and name, of several dists by its own', async () => {
    const { ids, span } = await asked('shop@1')
    assert.deepEqual(ids, [undefined, ID])
    assert.deepEqual([span?.place?.source, span?.place?.functionName], ['src/cart/recalc.ts', 'recalcTaxes'])
    assert.deepEqual((await asked('shop@2', { dist: '7' })).ids, [undefined, ID])
    assert.deepEqual((await asked('shop@2', { dist: '8' })).ids, [undefined, OTHER])
    assert.deepEqual((await asked('shop@1', { dist: '9', url: '/other/main-a1.js?v=1' })).ids, [
      undefined,
      ID,
    ])
    assert.deepEqual((await asked('shop@5', { url: '/page%5Bid%5D.js' })).ids, [undefined, ID])
  })

  it('is not found where two builds have it, another project, or no release', async () => {
    for (const release of ['shop@3', 'shop@4', 'shop@6', ''])
      assert.deepEqual((await asked(release)).ids, [undefined], release)
    assert.deepEqual((await asked('shop@2')).ids, [undefined])
    assert.deepEqual((await asked('shop@1', { url: 'https://shop.example/' })).ids, [undefined])
  })
})
