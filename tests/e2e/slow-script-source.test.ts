/** A slow script, a long frame and a chunk that is gone, as a reporter tells them: read once their map is there. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { buildShop, characterIn } from '../../packages/queries/test/scripts/built-shop.ts'
import { apiClient, createProject } from '../harness/api-client.ts'
import { startSonde } from '../harness/start-sonde.ts'
import { injectDebugIds, uploadBuild } from '../harness/upload-build.ts'
import { buildToken, uploadTo } from './fill-source-maps.ts'
import { chunkFailureSpan } from './navigation-events.ts'
import { navigationSpan, sendSpans } from './performance-events.ts'
import { signedInPlain } from './plain-page.ts'
import { newEventId, sendEvent } from './screens-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-slow-script-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const FILE = join(folder, 'main.js')
const SCRIPT = 'https://shop.example/assets/main.js'

/** The interaction as our reporter sends it. */
function interaction(debugId: string) {
  const code = readFileSync(FILE, 'utf8')
  const character = characterIn(code, readFileSync(`${FILE}.map`), 'recalcTotals')
  const span = navigationSpan('/cart', '/cart', Date.now() - 30_000, {
    'sentry.op': 'ui.interaction.click',
    'sentry.release': 'shop@5',
    'sentry.transaction': '/cart',
    'browser.web_vital.inp.value': 480,
    'browser.script.source_char_position': character,
    'browser.script.debug_id': debugId,
    'code.filepath': SCRIPT,
    'code.function': 'n',
  })
  return { ...withoutNavigation(span), name: 'button#buy' }
}

type Sent = ReturnType<typeof navigationSpan>
const withoutNavigation = (span: Sent): Sent => {
  const own = Object.entries(span.attributes).filter(([key]) => !key.startsWith('sonde.navigation'))
  return { ...span, attributes: Object.fromEntries(own) }
}

/** A picture that a component shows, with the page's script in the same release. */
function latePicture(): Sent[] {
  const common = { 'sentry.release': 'shop@5', 'sentry.transaction': '/' }
  const lcp = navigationSpan('/', '/', Date.now() - 30_000, {
    ...common,
    'sentry.op': 'ui.webvital.lcp',
    'browser.web_vital.lcp.value': 3100,
    'browser.web_vital.lcp.element': '#hero > img',
    'browser.web_vital.lcp.url': 'https://shop.example/assets/hero-BxY3kQ9z.jpg',
    'browser.web_vital.lcp.component': 'banner',
    'browser.web_vital.lcp.source_file': 'banner.ts',
    'browser.web_vital.lcp.time_to_first_byte': 500,
    'browser.web_vital.lcp.resource_load_delay': 1300,
    'browser.web_vital.lcp.resource_load_duration': 1000,
    'browser.web_vital.lcp.element_render_delay': 300,
  })
  const script = navigationSpan('/', '/', Date.now() - 31_000, { ...common, 'sentry.op': 'resource.script' })
  return [withoutNavigation(lcp), { ...withoutNavigation(script), name: '/assets/main.js' }]
}

/** A text that a font moved, of a style sheet that nobody uploaded. */
function movedText(): Sent {
  const cls = navigationSpan('/news', '/news', Date.now() - 30_000, {
    'sentry.release': 'shop@5',
    'sentry.transaction': '/news',
    'sentry.op': 'ui.webvital.cls',
    'browser.web_vital.cls.value': 0.31,
    'browser.web_vital.cls.source.1': 'p.lead',
    'browser.web_vital.cls.late_resource': '/assets/tall-UPML6QKQ.woff2',
    'browser.web_vital.cls.url_stylesheet': '/assets/main-GQKWFDNN.css',
  })
  return withoutNavigation(cls)
}

/** As the screen of the ownership saves it. */
function writeCodeowners(dataDir: string): void {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000')
  records.exec(`INSERT INTO project_ownership SELECT id, '', 'owners', 1, 1, 0, 'ada' FROM project;
    INSERT INTO codeowners_file (project_id, repository, content, stack_root, source_root, created_ms, updated_ms, updated_by)
      SELECT id, 'acme/shop', '* @acme/shop' || char(10) || '/src/cart/ @acme/pay', '', '', 0, 0, 'ada' FROM project`)
  records.close()
}

test('what a slow script and a missing chunk are in the source is read when their map comes', async () => {
  const sonde = await startSonde()
  try {
    const shop = createProject(sonde, 'acme/shop')
    const { code, map } = await buildShop(SCRIPT, true)
    writeFileSync(FILE, code)
    writeFileSync(`${FILE}.map`, map)
    const token = buildToken(sonde)
    injectDebugIds(folder)
    const debugId = /\/\/# debugId=(\S+)/.exec(readFileSync(FILE, 'utf8'))?.[1] ?? ''
    const slow = interaction(debugId)
    const gone = chunkFailureSpan('shop@5', '/assets/main.js', Date.now() - 20_000, 7)
    gone.attributes['sentry.release'] = { type: 'string', value: 'shop@5' }
    await sendSpans(shop.dsn, [slow, gone, ...latePicture(), movedText()])
    // An error of the same release, by which the address of the chunk gets its debug id.
    const images = [{ type: 'sourcemap', code_file: SCRIPT, debug_id: debugId }]
    const frames = [{ function: 'n', filename: SCRIPT, abs_path: SCRIPT, lineno: 1, colno: 9, in_app: true }]
    const error = await sendEvent(shop.dsn, {
      event_id: newEventId(),
      platform: 'javascript',
      release: 'shop@5',
      timestamp: Date.now() / 1000,
      debug_meta: { images },
      exception: { values: [{ type: 'Error', value: 'other', stacktrace: { frames } }] },
    })
    await apiClient(sonde).until(`/api/0/projects/acme/shop/events/${error}/`, () => true)

    const page = await signedInPlain(sonde.url)
    const scripts = () => page.part('#scripts', 'Longest scripts during the interaction')
    await page.goto('/acme/shop/vitals?vital=inp')
    scripts().shows('No source map: no map uploaded.')
    await page.goto('/acme/shop/navigations')
    page.shows('No source map: no map uploaded.')

    await uploadBuild(folder, uploadTo(sonde, token))
    await page.reload()
    page.shows('src/cart/recalc.ts')
    writeCodeowners(sonde.dataDir)
    await page.goto('/acme/shop/vitals')
    const causes = page.part('[aria-label="Main causes"]', '')
    causes.shows(/INP p75 480 ms on \/cart ?: 100% in src\/cart\/recalc\.ts:4 recalcTotals ?, @acme\/pay/)
    causes.shows(
      /LCP p75 3\.09 s on \/ ?: 74% waits for hero\.jpg shown by banner in src\/banner\.ts ?, @acme\/shop/,
    )
    causes.shows(
      /CLS p75 0\.309 on \/news ?: 100% by p\.lead ?, right after tall\.woff2 of \/assets\/main-GQKWFDNN\.css came/,
    )
    await page.goto('/acme/shop/vitals?vital=inp')
    for (const text of ['src/cart/recalc.ts:4', 'recalcTotals']) assert.ok(scripts().hasExactly(text), text)
    await page.goto(`/acme/traces/${slow.trace_id}?span=${slow.span_id}`)
    page.shows('src/cart/recalc.ts:4 recalcTotals')
  } finally {
    assert.equal(await sonde.stop(), 0)
  }
})
