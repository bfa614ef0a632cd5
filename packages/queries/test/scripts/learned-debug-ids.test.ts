/** Bundler plugins upload by debug id alone; which script has which is learned from errors of the same release. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { spanDetail } from '@sonde/queries'
import type { EventFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from '../performance/rows.ts'
import { type BuiltFile, buildShop, resolverOf } from './built-shop.ts'

const [OLD, NEW, OTHER] = [1, 2, 3].map((n) => `dddddddd-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const URL = 'https://shop.example/assets/main.js'

describe('the debug id of a script', () => {
  let harness: Harness
  let shop: ProjectGrant
  let file: BuiltFile
  let rows: ReturnType<typeof performanceRows>
  let spans = 0
  const withImages = (release: string, id: string, given: Partial<EventFields> = {}, images?: unknown) => ({
    release,
    debugIds: [id],
    payload: JSON.stringify({
      debug_meta: { images: images ?? [{ type: 'sourcemap', code_file: URL, debug_id: id.toUpperCase() }] },
    }),
    ...given,
  })
  /** What is asked of the resolver for a frame of this release, in turn. */
  async function debugIdsAsked(release: string, grant: ProjectGrant = shop, url = URL) {
    const { resolvePositions, asked } = resolverOf({ byDebugId: new Map([[NEW, file]]) })
    const [traceId, spanId] = [hexTrace(0xd0), hexId(++spans)]
    const attributes = {
      'code.filepath': url,
      'browser.script.source_char_position': file.characterOf('recalcTaxes'),
    }
    await rows.spans(grant.projectId, [{ isSegment: false, traceId, spanId, release, attributes }])
    const span = await spanDetail({ ...harness.deps, resolvePositions }, grant, { traceId, spanId })
    return { asked: asked.map(([position]) => position?.debugId), span }
  }

  before(async () => {
    harness = await openHarness()
    rows = performanceRows(harness)
    const org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    const other = await harness.project(org, 'other')
    file = await buildShop(URL, false)
    const [issue = 0] = await harness.issues(shop.projectId, [{}])
    await harness.events(shop.projectId, issue, [
      withImages('shop@1', OLD, { timestampMs: NOW_MS - 60 * MINUTE_MS }),
      ...Array.from({ length: 40 }, () => withImages('shop@1', NEW)),
      withImages('shop@2', OTHER),
      withImages('broken', OTHER, {}, [null, { code_file: 5 }, 'x', { code_file: URL, debug_id: "'); --" }]),
      withImages('no list', OTHER, {}, { a: 1 }),
    ])
    await harness.events(other.projectId, issue, [withImages('only other', NEW)])
  })
  after(() => harness.close())

  it('is what the newest error of the release says', async () => {
    const { asked, span } = await debugIdsAsked('shop@1')
    assert.deepEqual(asked, [undefined, NEW])
    assert.equal(span?.place?.functionName, 'recalcTaxes')
  })

  it('is known by the path too, of another address not', async () => {
    assert.deepEqual((await debugIdsAsked('shop@1', shop, '/assets/main.js?v=1#x')).asked, [undefined, NEW])
    assert.deepEqual((await debugIdsAsked('shop@1', shop, 'https://cdn.example/main.js')).asked, [undefined])
  })

  it('is told as missing when nothing was uploaded with it', async () => {
    const { asked, span } = await debugIdsAsked('shop@2')
    assert.deepEqual(asked, [undefined, OTHER])
    assert.deepEqual(span?.unreadable, { problem: 'no_artifact', detail: OTHER, release: 'shop@2' })
  })

  it('is not learned from another project, another release, or what is no debug id', async () => {
    for (const release of ['only other', 'shop@3', 'broken', 'no list', ''])
      assert.deepEqual((await debugIdsAsked(release)).asked, [undefined], release)
  })
})
