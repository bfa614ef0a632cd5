/** Places in scripts that visitors told, led back to the sources of bundles that were really built. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { QueryDeps } from '@sonde/queries'
import { chunkFailures, spanDetail, traceOutline, vitalCauses, vitalSamples } from '@sonde/queries'
import type { VitalFields } from '@sonde/stores'
import { type Harness, openHarness, type ProjectGrant } from '../harness.ts'
import { hexId, hexTrace, performanceRows } from '../performance/rows.ts'
import { vitalRows, WINDOW } from '../vital-rows.ts'
import { type BuiltFile, buildShop, resolverOf, type Uploads } from './built-shop.ts'

const [ID_A, ID_B] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002']
const URLS = ['https://shop.example/assets/main-a1.js', 'https://shop.example/assets/main-b2.js'] as const

describe('places in scripts', () => {
  let harness: Harness
  let shop: ProjectGrant
  let insert: ReturnType<typeof vitalRows>
  let first: BuiltFile
  let second: BuiltFile
  let uploads: Uploads
  let rows: ReturnType<typeof performanceRows>
  const reading = (given: Uploads) => {
    const { resolvePositions, asked } = resolverOf(given)
    const deps: QueryDeps = { ...harness.deps, resolvePositions }
    return { deps, asked }
  }
  const inp = (environment: string, file: BuiltFile, name: string, row: Partial<VitalFields> = {}) => ({
    name: 'inp',
    value: 400,
    environment,
    source: file.url,
    ...row,
    attribution: {
      'browser.script.source_char_position': file.characterOf(name),
      'browser.script.invoker': 'BUTTON#buy.onclick',
      'code.function': 'n',
      ...row.attribution,
    },
  })
  const only = (environment: string) => ({ ...WINDOW, environment: [environment], name: 'inp' as const })
  const debugId = (id: string) => ({ attribution: { 'browser.script.debug_id': id } })

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    insert = vitalRows(harness)
    rows = performanceRows(harness)
    first = await buildShop(URLS[0], false)
    second = await buildShop(URLS[1], true)
    uploads = {
      byDebugId: new Map([
        [ID_A, first],
        [ID_B, second],
      ]),
    }
  })
  after(() => harness.close())

  it('of two releases of one function are one cause, with the percentile of both', async () => {
    const old = inp('two', first, 'recalcTotals', { release: 'shop@1', ...debugId(ID_A) })
    const now = inp('two', second, 'recalcTotals', { release: 'shop@2', ...debugId(ID_B) })
    const taxes = inp('two', second, 'recalcTaxes', { release: 'shop@2', ...debugId(ID_B), value: 250 })
    assert.notEqual(first.characterOf('recalcTotals'), second.characterOf('recalcTotals'))
    await insert(shop.projectId, [
      ...Array.from({ length: 30 }, () => ({ ...old, value: 400 })),
      ...Array.from({ length: 30 }, () => ({ ...now, value: 800 })),
      taxes,
    ])
    const { deps, asked } = reading(uploads)
    const { sources } = await vitalCauses(deps, shop, only('two'))
    assert.deepEqual(
      sources.map(({ place, samples, bad }) => [
        place?.source,
        place?.line,
        place?.functionName,
        samples,
        bad,
      ]),
      [
        ['src/cart/recalc.ts', 4, 'recalcTotals', 60, 60],
        ['src/cart/recalc.ts', 10, 'recalcTaxes', 1, 1],
      ],
    )
    assert.ok(Math.abs((sources[0]?.p75 ?? 0) - 800) < 4, `${sources[0]?.p75}`)
    assert.deepEqual([sources[0]?.functionName, sources[0]?.invoker], ['n', 'BUTTON#buy.onclick'])
    // Three places of sixty-one visits.
    assert.deepEqual(
      asked.map((positions) => positions.length),
      [3],
    )
  })

  it('that nobody can read stay what the browser told, with the reason, beside those that can be read', async () => {
    await insert(shop.projectId, [
      inp('part', first, 'recalcTotals', { release: 'shop@1', ...debugId(ID_A) }),
      inp('part', second, 'recalcTotals', { release: 'shop@2', ...debugId(ID_B), value: 900 }),
      inp('part', second, 'recalcTotals', { release: 'shop@3', ...debugId(ID_B) }),
      inp('part', first, 'recalcTotals', {
        source: '/nowhere.js',
        value: 300,
        attribution: { 'browser.script.source_char_position': -1 },
      }),
    ])
    const { deps } = reading({ byDebugId: new Map([[ID_A, first]]) })
    const { sources } = await vitalCauses(deps, shop, only('part'))
    assert.deepEqual(
      sources.map(({ source, place, unreadable, count }) => [source, place?.line, unreadable, count]),
      [
        [second.url, undefined, { problem: 'no_artifact', detail: ID_B, release: 'shop@2' }, 2],
        [first.url, 4, undefined, 1],
        ['/nowhere.js', undefined, undefined, 1],
      ],
    )
  })

  it('are what the browser told when nobody reads maps, and pictures are asked of nobody', async () => {
    await insert(shop.projectId, [
      inp('none', first, 'recalcTotals', { release: 'shop@1' }),
      inp('none', first, 'recalcTaxes', { release: 'shop@2' }),
      { name: 'lcp', environment: 'none', source: '/hero.webp', value: 5000 },
    ])
    const { sources } = await vitalCauses(harness.deps, shop, only('none'))
    assert.deepEqual(
      sources.map(({ source, count, place, unreadable }) => [source, count, place, unreadable]),
      [[first.url, 2, undefined, undefined]],
    )
    const { deps, asked } = reading(uploads)
    const pictures = await vitalCauses(deps, shop, { ...only('none'), name: 'lcp' })
    assert.deepEqual([pictures.sources[0]?.source, asked], ['/hero.webp', []])
  })

  it('of more scripts than are read keep their figures', async () => {
    const many = Array.from({ length: 260 }, (_, n) =>
      inp('many', first, 'recalcTotals', {
        source: `/chunk-${n % 250}.js`,
        release: 'shop@1',
        value: 300 + n,
      }),
    )
    await insert(shop.projectId, many)
    const { deps, asked } = reading({ byRelease: new Map() })
    const { sources } = await vitalCauses(deps, shop, only('many'))
    assert.deepEqual(
      asked.map((positions) => positions.length),
      [200],
    )
    assert.deepEqual(
      [sources.length, sources[0]?.count, sources[0]?.unreadable?.problem],
      [10, 2, 'no_release_files'],
    )
  })

  it('of single visits stand with them', async () => {
    await insert(shop.projectId, [
      inp('visits', first, 'recalcTaxes', { release: 'shop@1' }),
      { name: 'inp', environment: 'visits', value: 20 },
    ])
    const { deps } = reading({ byRelease: new Map([['shop@1', [first]]]) })
    const samples = await vitalSamples(deps, shop, { ...only('visits'), set: 'slowest' })
    assert.deepEqual(
      samples.map(({ place, source, functionName, unreadable }) => [
        place?.functionName,
        source,
        functionName,
        unreadable,
      ]),
      [
        ['recalcTaxes', first.url, 'n', undefined],
        [undefined, '', '', undefined],
      ],
    )
  })

  it('of a span are those that its SDK told, whichever name it has for them', async () => {
    const traceId = hexTrace(0xabc)
    const character = second.characterOf('recalcTotals')
    const span = (n: number, attributes: Record<string, string | number>) => ({
      isSegment: false,
      op: 'ui.long-animation-frame',
      name: 'Main UI thread blocked',
      traceId,
      spanId: hexId(n),
      release: 'shop@2',
      attributes,
    })
    await rows.spans(shop.projectId, [
      span(0xa1, { 'code.filepath': second.url, 'browser.script.source_char_position': character }),
      span(0xa2, { 'code.file.path': second.url, 'browser.script.source_char_position': 10_000_000 }),
      span(0xa3, { 'code.file.path': second.url, 'browser.script.source_char_position': -1 }),
      span(0xa4, {}),
    ])
    const { deps, asked } = reading({ byRelease: new Map([['shop@2', [second]]]) })
    const [read, beyond, ...others] = await Promise.all(
      [0xa1, 0xa2, 0xa3, 0xa4].map((n) => spanDetail(deps, shop, { traceId, spanId: hexId(n) })),
    )
    assert.deepEqual([read?.place?.source, read?.place?.line], ['src/cart/recalc.ts', 4])
    assert.deepEqual(beyond?.unreadable, { problem: 'other_file', detail: undefined, release: 'shop@2' })
    for (const other of others) assert.deepEqual([other?.place, other?.unreadable], [undefined, undefined])
    assert.equal(asked.length, 2)
    const outline = await traceOutline(deps, shop, { traceId })
    assert.deepEqual(outline?.spans.map(({ spanId, name }) => [spanId, name]).toSorted(), [
      [hexId(0xa1), 'recalcTotals src/cart/recalc.ts:4'],
      ...[0xa2, 0xa3, 0xa4].map((n) => [hexId(n), 'Main UI thread blocked']),
    ])
    const told = await traceOutline(harness.deps, shop, { traceId })
    assert.ok(told?.spans.every(({ name }) => name === 'Main UI thread blocked'))
  })

  it('of chunks that could not be loaded are the sources that lie in them', async () => {
    const chunk = (url: string, build: string, release = build) => ({
      isSegment: false,
      op: 'ui.chunk_failure',
      environment: 'chunks',
      release,
      attributes: { 'sonde.chunk.kind': 'old_build', 'sonde.chunk.url': url, 'sonde.chunk.build': build },
    })
    const [cart, other] = [new URL(first.url).pathname, '/assets/other.js']
    await rows.spans(shop.projectId, [
      ...[cart, cart, other].map((url) => chunk(url, 'shop@1')),
      chunk(cart, 'index-0a.js', ''),
    ])
    const { deps } = reading({ byRelease: new Map([['shop@1', [first]]]) })
    const { name: _, ...input } = only('chunks')
    const found = await chunkFailures(deps, shop, input)
    assert.deepEqual(Object.fromEntries(found.map(({ build, files }) => [build, files])), {
      'shop@1': [
        {
          url: cart,
          sources: ['src/cart/price.ts', 'src/cart/recalc.ts'],
          unreadable: undefined,
          uploaded: undefined,
        },
        {
          url: other,
          sources: [],
          unreadable: { problem: 'no_release_files', detail: undefined, release: 'shop@1' },
          uploaded: undefined,
        },
      ],
      'index-0a.js': [
        {
          url: cart,
          sources: [],
          unreadable: { problem: 'no_debug_id', detail: undefined, release: '' },
          uploaded: undefined,
        },
      ],
    })
  })
})
