/** What a vital mostly comes from: place, component, owner, release and share, out of stored rows and real maps. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { CodePosition } from '@sonde/protocol/code-position'
import { type QueryDeps, vitalReasons } from '@sonde/queries'
import type { VitalFields } from '@sonde/stores'
import { type Harness, MINUTE_MS, NOW_MS, openHarness, type ProjectGrant } from '../harness.ts'
import { type BuiltFile, buildShop, resolverOf } from '../scripts/built-shop.ts'
import { vitalRows, WINDOW } from '../vital-rows.ts'
import { performanceRows } from './rows.ts'

const DAY_MS = 86_400_000
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)

describe('what a vital mostly comes from', () => {
  let harness: Harness
  let shop: ProjectGrant
  let deps: QueryDeps
  let insert: ReturnType<typeof vitalRows>
  let first: BuiltFile
  let second: BuiltFile
  let asked: readonly (readonly CodePosition[])[]
  const add = (rows: readonly Partial<VitalFields>[]) => insert(shop.projectId, rows)
  const reasons = (route: string, name: 'lcp' | 'inp' | 'cls', environment = 'prod') =>
    vitalReasons(deps, shop, { ...WINDOW, environment: [environment], about: [{ name, route }] })

  before(async () => {
    harness = await openHarness()
    shop = await harness.project(await harness.org('acme'), 'shop')
    insert = vitalRows(harness)
    first = await buildShop('https://shop.example/assets/main-a1.js', false)
    second = await buildShop('https://shop.example/assets/main-b2.js', true)
    const byRelease = new Map([
      ['4.1', [first]],
      ['4.2', [second]],
    ])
    const style = {
      version: 3,
      sources: ['../src/home/home.css', '../src/cart/fonts.css'],
      sourcesContent: ['.hero {\n  background: url(tea.jpg);\n}', '@font-face { src: url(tall.woff2) }'],
      mappings: 'AAAA,CCAA',
      names: [],
    }
    const styles = new Map([
      ['/assets/shop-a1b2c3D4.css', Buffer.from(JSON.stringify(style))],
      [
        '/assets/cart.css',
        Buffer.from(
          JSON.stringify({
            ...style,
            sources: ['src/cart/cart.css'],
            sourcesContent: ['p {}'],
            mappings: 'AAAA',
          }),
        ),
      ],
    ])
    const resolver = resolverOf({ byRelease, styles, library: 'src/cart/price.ts' })
    deps = { ...harness.deps, resolvePositions: resolver.resolvePositions }
    ;({ asked } = resolver)
    const own = { project_id: shop.projectId, updated_ms: NOW_MS, updated_by: 'ada' }
    await harness.db
      .insertInto('project_ownership')
      .values({
        ...own,
        rules: 'path:src/home/* #home',
        auto_assignment: 'owners',
        is_for_all: 1,
        version: 1,
      })
      .execute()
    await harness.db
      .insertInto('codeowners_file')
      .values({
        ...own,
        repository: 'acme/shop',
        content: '* @acme/all\n/web/src/cart/ @acme/pay\n/web/src/banner.ts\n',
        stack_root: 'src/',
        source_root: 'web/src/',
        created_ms: NOW_MS,
      })
      .execute()
  })
  after(() => harness.close())

  it('INP: the line of source with the most time in two releases, whose it is, and since when it takes more', async () => {
    const inp = (file: BuiltFile, release: string, duration: number, value = 400): Partial<VitalFields> => ({
      name: 'inp',
      route: '/cart',
      value,
      release,
      source: file.url,
      attribution: {
        'browser.script.source_char_position': file.characterOf('recalcTotals'),
        'browser.script.duration': duration,
      },
    })
    const old = { timestampMs: NOW_MS - 3 * DAY_MS }
    await add([
      ...times(30, { ...inp(first, '4.1', 40, 200), ...old }),
      ...times(30, inp(second, '4.2', 300)),
      ...times(10, { name: 'inp', route: '/cart', value: 100, release: '4.2', element: 'button.buy' }),
    ])
    const [reason, ...others] = await reasons('/cart', 'inp')
    assert.equal(others.length, 0)
    assert.deepEqual(
      [
        reason?.kind,
        reason?.place?.source,
        reason?.place?.line,
        reason?.place?.functionName,
        reason?.samples,
      ],
      ['script', 'src/cart/recalc.ts', 4, 'recalcTotals', 40],
    )
    assert.equal(reason?.share.toFixed(3), ((30 * 300) / (30 * 400 + 10 * 100)).toFixed(3))
    assert.deepEqual(reason?.owners, ['@acme/pay'])
    assert.deepEqual([reason?.since?.release, reason?.since?.before, reason?.since?.after], ['4.2', 40, 225])
  })

  it('INP: a library that runs everything is passed over for the component that was pressed', async () => {
    const library = first.code.indexOf('.price*')
    const pressed = (component: string): Partial<VitalFields> => ({
      name: 'inp',
      route: '/react',
      release: '4.1',
      value: 400,
      source: first.url,
      element: component === '' ? '' : 'button',
      attribution: {
        'browser.script.source_char_position': library,
        'browser.script.duration': 300,
        ...(component && { 'browser.web_vital.inp.component': component }),
      },
    })
    await add([...times(6, pressed('Cart')), ...times(3, pressed(''))])
    const [reason] = await reasons('/react', 'inp')
    assert.deepEqual(
      [reason?.kind, reason?.component, reason?.share, reason?.script?.source],
      ['element', 'Cart', 0.5, first.url],
    )
  })

  it('INP without scripts: the component of what was pressed; and a script nobody can read says why', async () => {
    const pressed = {
      name: 'inp',
      route: '/list',
      release: '4.2',
      value: 300,
      element: 'Sorter > button',
    } as const
    await add([
      ...times(5, { ...pressed, attribution: { 'browser.web_vital.inp.component': 'Sorter' } }),
      { ...pressed, element: 'a', value: 50 },
    ])
    const [reason] = await reasons('/list', 'inp')
    assert.deepEqual([reason?.kind, reason?.component, reason?.place], ['element', 'Sorter', undefined])
    assert.equal(reason?.share.toFixed(2), (1500 / 1550).toFixed(2))
    await add(
      times(4, {
        name: 'inp',
        route: '/alien',
        release: '3.0',
        source: 'https://shop.example/old.js',
        attribution: { 'browser.script.source_char_position': 9 },
      }),
    )
    const [alien] = await reasons('/alien', 'inp')
    assert.deepEqual(
      [alien?.kind, alien?.script?.source, alien?.unreadable?.problem, alien?.owners],
      ['script', 'https://shop.example/old.js', 'no_release_files', []],
    )
  })

  it('LCP: what waits for a picture, with the component that shows it, its file and its owner', async () => {
    await performanceRows(harness).spans(shop.projectId, [
      {
        isSegment: false,
        op: 'resource.script',
        name: '/assets/main-b2.js',
        release: '4.2',
        attributes: { 'sentry.dist': '7' },
      },
    ])
    const lcp = (letters: string, release: string): Partial<VitalFields> => ({
      name: 'lcp',
      route: '/',
      value: 3000,
      release,
      element: '#hero > img',
      source: `https://shop.example/assets/hero-${letters}.jpg`,
      attribution: {
        'browser.web_vital.lcp.component': 'banner',
        'browser.web_vital.lcp.source_file': 'banner.ts',
        'browser.web_vital.lcp.time_to_first_byte': 300,
        'browser.web_vital.lcp.resource_load_delay': 1200,
        'browser.web_vital.lcp.resource_load_duration': 1200,
        'browser.web_vital.lcp.element_render_delay': 300,
      },
    })
    await add([
      ...times(20, lcp('BxY3kQ9z', '4.2')),
      ...times(5, lcp('aaaa1111', '4.2')),
      ...times(25, {
        ...lcp('', '4.1'),
        value: 600,
        source: '',
        element: 'h1',
        timestampMs: NOW_MS - 2 * DAY_MS,
        attribution: {},
      }),
    ])
    const [reason] = await reasons('/', 'lcp')
    assert.deepEqual(
      [reason?.kind, reason?.resource, reason?.component, reason?.place?.source, reason?.share],
      ['load', 'hero.jpg', 'banner', 'src/banner.ts', 0.8],
    )
    const component = { url: '/assets/main-b2.js', release: '4.2', dist: '7' }
    const at = { component: 'banner', file: 'banner.ts' }
    assert.deepEqual(asked.at(-1), [{ projectId: shop.projectId, ...component, at }])
    // The file says that nobody owns it.
    assert.deepEqual(reason?.owners, [])
    assert.deepEqual([reason?.since?.release, reason?.since?.before], ['4.2', 0])
  })

  it('LCP: a slow server is a slow server, and what told no parts is weighed by the whole', async () => {
    const part = (ttfb: number, render: number) => ({
      'browser.web_vital.lcp.time_to_first_byte': ttfb,
      'browser.web_vital.lcp.resource_load_delay': 0,
      'browser.web_vital.lcp.resource_load_duration': 0,
      'browser.web_vital.lcp.element_render_delay': render,
    })
    const text = { name: 'lcp', value: 2000, element: 'h1' } as const
    await add([
      ...times(3, { ...text, route: '/slow', attribution: part(1500, 500) }),
      ...times(3, { ...text, route: '/late', attribution: part(200, 1800) }),
      {
        name: 'lcp',
        route: '/stock',
        value: 2000,
        source: 'https://cdn.example/a/tea.webp?w=9',
        element: 'Hero > img',
      },
      { name: 'lcp', route: '/stock', value: 500, element: 'h1' },
    ])
    const told = async (route: string) => {
      const [reason] = await reasons(route, 'lcp')
      return [reason?.kind, reason?.share, reason?.element, reason?.resource]
    }
    assert.deepEqual((await told('/slow')).slice(0, 2), ['first_byte', 0.75])
    assert.deepEqual(await told('/late'), ['render', 0.9, 'h1', ''])
    assert.deepEqual(await told('/stock'), ['element', 0.8, 'Hero > img', 'tea.webp'])
  })

  it('LCP: the style sheet that kept the page from being rendered, by its source or as the page loaded it', async () => {
    const waited = (sheet: string, delay: number, route: string): Partial<VitalFields> => ({
      name: 'lcp',
      route,
      value: 2000,
      element: 'h1',
      attribution: {
        'browser.web_vital.lcp.time_to_first_byte': 200,
        'browser.web_vital.lcp.element_render_delay': 1800,
        'browser.web_vital.lcp.stylesheet': sheet,
        'browser.web_vital.lcp.stylesheet_delay': delay,
      },
    })
    const old = { release: '0.9', timestampMs: NOW_MS - 2 * DAY_MS }
    await add([
      ...times(25, waited('/assets/cart.css', 1500, '/styled')),
      ...times(25, { ...waited('/assets/cart.css', 100, '/styled'), ...old }),
      ...times(3, waited('/assets/shop-a1b2c3D4.css', 1500, '/styles')),
      ...times(3, waited('/assets/shop-a1b2c3D4.css', 300, '/quick')),
      // Nobody waits longer for a part than for the whole.
      ...times(3, waited('/assets/cart.css', 90_000, '/liar')),
    ])
    const [one] = await reasons('/styled', 'lcp')
    assert.deepEqual(
      [one?.kind, one?.share, one?.resource, one?.styleSheet?.path, one?.styleSheet?.place?.source],
      ['style', 0.75, 'cart.css', '/assets/cart.css', 'src/cart/cart.css'],
    )
    assert.deepEqual(one?.owners, ['@acme/pay'])
    assert.deepEqual([one?.component, one?.place, one?.since?.release], ['', undefined, '1.0'])
    const [several] = await reasons('/styles', 'lcp')
    assert.deepEqual(several?.styleSheet, { path: '/assets/shop-a1b2c3D4.css', place: undefined })
    const [quick] = await reasons('/quick', 'lcp')
    assert.deepEqual([quick?.kind, quick?.share, quick?.styleSheet], ['render', 0.75, undefined])
    const [liar] = await reasons('/liar', 'lcp')
    assert.deepEqual([liar?.kind, liar?.share], ['style', 0.9])
  })

  it('LCP: the source of the style sheet that sets the picture, and the owner of that where no component is known', async () => {
    await add(
      times(3, {
        name: 'lcp',
        route: '/tea',
        value: 2000,
        element: 'div.hero',
        source: 'https://shop.example/assets/tea-BxY3kQ9z.jpg',
        attribution: {
          'browser.web_vital.lcp.resource_load_delay': 1500,
          'browser.web_vital.lcp.element_render_delay': 500,
          'browser.web_vital.lcp.url_stylesheet': '/assets/shop-a1b2c3D4.css',
        },
      }),
    )
    const [reason] = await reasons('/tea', 'lcp')
    const { place } = reason?.styleSheet ?? {}
    assert.deepEqual(
      [reason?.kind, reason?.resource, place?.source, place?.line, reason?.owners],
      ['load', 'tea.jpg', 'src/home/home.css', 2, ['#home']],
    )
  })

  it('CLS: what had just come before most of the shift', async () => {
    const shift = (route: string, late: string, namedIn = ''): Partial<VitalFields> => ({
      name: 'cls',
      route,
      value: 0.3,
      element: 'p',
      attribution: {
        ...(late && { 'browser.web_vital.cls.late_resource': late }),
        ...(namedIn && { 'browser.web_vital.cls.url_stylesheet': namedIn }),
      },
    })
    await add([
      ...times(3, shift('/font', '/assets/tall-UPML6QKQ.woff2', '/assets/shop-a1b2c3D4.css')),
      shift('/font', ''),
      ...times(3, shift('/sheet', '/assets/cart.css')),
      ...times(2, shift('/half', '/assets/cart.css')),
      ...times(2, shift('/half', '')),
    ])
    const told = async (route: string) => {
      const [reason] = await reasons(route, 'cls')
      return [reason?.kind, reason?.late, reason?.styleSheet?.place?.source, reason?.styleSheet?.place?.line]
    }
    assert.deepEqual(await told('/font'), ['shift', 'tall.woff2', 'src/cart/fonts.css', 1])
    assert.deepEqual(await told('/sheet'), ['shift', 'cart.css', 'src/cart/cart.css', 1])
    assert.deepEqual(await told('/half'), ['shift', '', undefined, undefined])
  })

  it('CLS: the component whose elements moved most, by the largest shift where that was told', async () => {
    const shift = (value: number, component: string, element: string, largest = value) => ({
      name: 'cls' as const,
      route: '/news',
      value,
      element,
      attribution: {
        ...(component && { 'browser.web_vital.cls.component': component }),
        'browser.web_vital.cls.largest_shift_value': largest,
      },
    })
    await add([
      shift(0.3, 'AdSlot', 'div.ad', 0.2),
      shift(0.3, 'AdSlot', 'p', 0.2),
      shift(0.2, '', 'footer'),
      { name: 'cls', route: '/news', value: 0, element: '' },
    ])
    const [reason] = await reasons('/news', 'cls')
    assert.deepEqual([reason?.kind, reason?.component, reason?.share], ['shift', 'AdSlot', 0.5])
  })

  it('CLS: nothing is said where a page view at the 75th percentile does not move, nor where every one was good', async () => {
    const moved = (route: string, value: number) => ({
      name: 'cls' as const,
      route,
      value,
      element: 'div.ad',
    })
    await add([
      // One in five is poor, but the sentence would be about a CLS of 0.
      ...times(8, moved('/calm', 0)),
      ...times(2, moved('/calm', 0.4)),
      ...times(8, moved('/hair', 0.0001)),
      ...times(10, moved('/good', 0.1)),
      ...times(10, moved('/mixed', 0.08)),
      moved('/mixed', 0.3),
    ])
    for (const route of ['/calm', '/hair', '/good']) assert.deepEqual(await reasons(route, 'cls'), [], route)
    const [mixed] = await reasons('/mixed', 'cls')
    assert.deepEqual([mixed?.kind, mixed?.element], ['shift', 'div.ad'])
  })

  it('nothing is said of a route without values, of other environments and of other projects', async () => {
    await add([{ name: 'cls', route: '/flat', value: 0, element: 'p' }])
    assert.deepEqual(await reasons('/flat', 'cls'), [])
    assert.deepEqual(await reasons('/cart', 'inp', 'staging'), [])
    assert.deepEqual(await reasons('/nowhere', 'lcp'), [])
    const rival = await harness.project(await harness.org('rival'), 'secret')
    assert.deepEqual(
      await vitalReasons(deps, rival, { ...WINDOW, about: [{ name: 'inp', route: '/cart' }] }),
      [],
    )
  })

  it('is told of the window alone, and without a release to compare with when one is selected', async () => {
    const about = [{ name: 'inp' as const, route: '/cart' }]
    const [one] = await vitalReasons(deps, shop, { ...WINDOW, release: ['4.2'], about })
    assert.deepEqual([one?.samples, one?.since], [40, undefined])
    const all = { fromMs: 0, toMs: NOW_MS + MINUTE_MS }
    const [whole] = await vitalReasons(deps, shop, { ...all, about })
    assert.equal(whole?.samples, 70)
  })
})
