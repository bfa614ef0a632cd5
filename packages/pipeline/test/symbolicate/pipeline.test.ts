/** From the log to the stored event: scripts and maps among the uploaded files, on real worker threads. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { openHarness, until, type Harness } from '../commit/harness.ts'
import { buildApp, type BuiltApp, placeOfText } from '../maps/built-app.ts'
import { CSS, CSS_MAP, CSS_URL } from '../maps/built-css.ts'
import { upload } from '../maps/upload.ts'

const URL = 'https://shop.test/assets/app-3f9a1c2b.js'
const HELPERS = `
export function totalOf(cart) {
  return cart.items.reduce((sum, item) => sum + item.price, 0)
}`
const main = (before: string): string => `
import { totalOf } from './cart/total.js'
${before}
function openCheckout(cart) {
  return 'to pay: ' + totalOf(cart)
}
document.addEventListener('click', () => openCheckout(window.cart))
`
const files = (before: string) => ({ 'src/main.js': main(before), 'src/cart/total.js': HELPERS })

let harness: Harness
let first: BuiltApp
let second: BuiltApp

const debugIdOf = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`

/** The call of `reduce`, as a browser names it. */
function event(id: string, app: BuiltApp, more: object = {}) {
  const at = placeOfText(app.code, '.reduce(')
  const frames = [{ function: 't', filename: URL, ...at, colno: at.colno + 1, in_app: true }]
  return {
    event_id: id,
    platform: 'javascript',
    exception: [{ type: 'TypeError', value: 'items is undefined', stacktrace: { frames } }],
    ...more,
  }
}
const envelope = (body: { event_id: string }): string =>
  `{"event_id":"${body.event_id}"}\n{"type":"event"}\n${JSON.stringify(body)}\n`
const images = (debug_id: string) => ({
  debug_meta: { images: [{ type: 'sourcemap', code_file: URL, debug_id }] },
})
const scriptAndMap = ({ code, map }: BuiltApp, debugId: string) => [
  { type: 'minified_source', url: '~/assets/app.js', content: code, debugId } as const,
  { type: 'source_map', url: '~/assets/app.js.map', content: map, debugId } as const,
]

type Row = {
  payload: string
  issue_id: number
  debug_ids: string[]
  unreadable: string
  title: string
  culprit: string
}
const rows = (projectId: number) =>
  harness.telemetry.query<Row>(
    `SELECT payload, issue_id, debug_ids, unreadable, title, culprit FROM events
     WHERE project_id = {projectId:UInt32} ORDER BY log_position, item_index`,
    { projectId },
  )
const parsed = (row: Row | undefined): NormalizedEvent => JSON.parse(row?.payload ?? '') as NormalizedEvent

describe('pipeline', () => {
  before(async () => {
    harness = await openHarness()
    first = await buildApp(files(''))
    second = await buildApp(
      files("function another(a) { console.log('new here', a) }\nanother(location.href)"),
    )
  })

  after(() => harness?.close())

  describe('the pipeline', () => {
    it('leads frames back by debug id, keeps them as they came, and makes one issue of two releases', async () => {
      const project = await harness.createProject('by-debug-id')
      const ids = [debugIdOf('a'), debugIdOf('b')]
      await upload(harness, project, scriptAndMap(first, ids[0]!))
      await upload(harness, project, scriptAndMap(second, ids[1]!))
      assert.notEqual(first.code, second.code)
      await harness.append(project, envelope(event('1'.repeat(32), first, images(ids[0]!))))
      await harness.append(project, envelope(event('2'.repeat(32), second, images(ids[1]!))))
      const pipeline = await harness.start({ workers: { threads: 1 } })
      await until(() => pipeline.state().events === 2, 'both are stored', 60_000)
      await pipeline.stop()
      const [one, two] = await rows(project)
      assert.equal(one?.issue_id, two?.issue_id)
      assert.deepEqual([one?.debug_ids, one?.unreadable], [[ids[0]], ''])
      const exception = parsed(one).exception?.[0]
      const frame = exception?.stacktrace?.frames[0]
      assert.equal(exception?.raw_stacktrace?.frames[0]?.function, 't')
      assert.deepEqual(
        [frame?.function, frame?.filename, frame?.lineno, frame?.context_line, frame?.in_app],
        [
          'totalOf',
          'src/cart/total.js',
          3,
          '  return cart.items.reduce((sum, item) => sum + item.price, 0)',
          true,
        ],
      )
      assert.equal(frame?.colno, 21)
      assert.deepEqual(frame?.pre_context, ['', 'export function totalOf(cart) {'])
      assert.deepEqual(frame?.data, { sourcemap: '~/assets/app.js.map', symbolicated: true })
      assert.equal(one?.culprit, 'totalOf(src/cart/total.js)')
    })

    it('answers where places in scripts come from, by line or by character, and reads stored events again', async () => {
      const project = await harness.createProject('positions')
      const id = debugIdOf('c')
      const pipeline = await harness.start({ workers: { threads: 1 } })
      await harness.append(project, envelope(event('3'.repeat(32), first, images(id))))
      await until(() => pipeline.state().events === 1, 'it is stored', 60_000)
      const [stored] = await rows(project)
      assert.deepEqual([stored?.unreadable, stored?.debug_ids], ['no_artifact', [id]])
      const row = {
        projectId: project,
        logPosition: 1,
        itemIndex: 0,
        receivedMs: 1,
        payload: stored?.payload ?? '',
      }
      const [before] = await pipeline.reprocess([row])
      assert.deepEqual(before?.ok && [before.changed, before.fields.unreadable], [false, 'no_artifact'])

      await upload(harness, project, scriptAndMap(first, id))
      const [after, broken] = await pipeline.reprocess([row, { ...row, payload: 'no JSON' }])
      assert.equal(broken?.ok, false)
      assert.ok(after?.ok && after.changed)
      assert.deepEqual(
        [after.fields.unreadable, after.fields.culprit, after.issue.culprit, after.fields.revision],
        ['', 'totalOf(src/cart/total.js)', 'totalOf(src/cart/total.js)', 0],
      )
      assert.deepEqual(after.hashes, after.fields.hashes)
      const again = await pipeline.reprocess([{ ...row, payload: after.fields.payload }])
      assert.equal(again[0]?.ok && again[0].changed, false)

      const { lineno: line, colno } = placeOfText(first.code, '.reduce(')
      const character = first.code.indexOf('.reduce(') + 1
      const of = { projectId: project, url: URL, debugId: id }
      const answers = await pipeline.resolvePositions([
        { ...of, at: { line, column: colno + 1 } },
        { ...of, at: { character } },
        { ...of, at: { character: 1e9 } },
        { projectId: project, url: URL, at: { character } },
        { ...of, at: { component: 'totalOf', file: 'total.js' } },
        { ...of, at: { component: 'totalOf', file: 'other.js' } },
      ])
      const found = {
        ok: true,
        source: 'src/cart/total.js',
        line: 3,
        column: 21,
        functionName: 'totalOf',
        contextLine: '  return cart.items.reduce((sum, item) => sum + item.price, 0)',
        isInApp: true,
      }
      assert.deepEqual(answers.slice(0, 2), [found, found])
      assert.deepEqual(
        answers.slice(2, 4).map((answer) => !answer.ok && answer.problem),
        ['other_file', 'no_debug_id'],
      )
      const declared = answers.slice(4).map((answer) => (answer.ok ? answer.source : answer.problem))
      assert.deepEqual(declared, ['src/cart/total.js', 'no_position'])
      await pipeline.stop()
    })

    it('finds which source of a style sheet names a picture, with the sheet or its map alone, by release, dist and address', async () => {
      const project = await harness.createProject('style-sheets')
      const map = { type: 'source_map', url: `${CSS_URL}.map`, content: CSS_MAP } as const
      const sheet = { type: 'minified_source', url: CSS_URL, content: CSS } as const
      await upload(harness, project, [sheet, map], { release: 'shop@1', dist: '7' })
      await upload(harness, project, [map], { release: 'shop@2' })
      const pipeline = await harness.start({ workers: { threads: 1 } })
      const of = { projectId: project, url: CSS_URL.slice(1) }
      const first = { ...of, release: 'shop@1', dist: '7' }
      const answers = await pipeline.resolvePositions([
        { ...first, at: { styleText: 'hero.jpg' } },
        { ...first, at: { styleText: 'tall.woff2' } },
        { ...of, release: 'shop@2', at: { styleText: 'hero.jpg' } },
        { ...first, at: { styleText: '' } },
        { ...first, dist: '8', at: { styleText: 'hero.jpg' } },
      ])
      await pipeline.stop()
      const hero = { ok: true, source: 'src/home/home.css', line: 7, column: 1, isInApp: true }
      const fonts = { ...hero, source: 'src/fonts.css', line: 3 }
      assert.deepEqual(answers.slice(0, 3), [hero, fonts, hero])
      assert.deepEqual(answers[3], {
        ok: false,
        problem: 'no_position',
        detail: 'made of 3 sources: src/home/home.css, src/cart/cart.css, src/fonts.css',
      })
      assert.equal(!answers[4]?.ok && answers[4]?.problem, 'other_dist')
    })
  })

  describe('a map that comes between a crash and the repeat', () => {
    for (const step of ['marked', 'events', 'outcomes'] as const) {
      it(`after "${step}" leaves each event in one issue, counted once`, async () => {
        const project = await harness.createProject(`crash-${step}`)
        const id = debugIdOf(step === 'marked' ? 'd' : step === 'events' ? 'e' : 'f')
        const eventId = { marked: '4', events: '5', outcomes: '6' }[step].repeat(32)
        await harness.append(project, envelope(event(eventId, first, images(id))))
        let crashed = false
        const interrupted = await harness.start({
          afterStep(now) {
            if (now !== step) return
            crashed = true
            throw new Error('crash')
          },
        })
        await until(() => crashed, 'it crashes', 60_000)
        await interrupted.stop()
        await upload(harness, project, scriptAndMap(first, id))
        const pipeline = await harness.start()
        await until(() => pipeline.state().events === 1, 'the batch is repeated', 60_000)
        await pipeline.stop()

        const stored = await rows(project)
        assert.equal(stored.length, 1)
        const wasStored = step !== 'marked'
        assert.equal(stored[0]?.unreadable, wasStored ? 'no_artifact' : '')
        const counted = (await harness.issues(project)).filter((issue) => issue.event_count > 0)
        assert.deepEqual(
          counted.map((issue) => [issue.id, issue.event_count]),
          [[stored[0]?.issue_id, 1]],
        )
        const index = await harness.telemetry.query<{ issue_id: number }>(
          'SELECT issue_id FROM event_index WHERE project_id = {project:UInt32}',
          { project },
        )
        assert.deepEqual(
          index.map((row) => row.issue_id),
          [stored[0]?.issue_id],
        )
        assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 1 })
      })
    }
  })

  describe('trouble with uploaded files', () => {
    it('of a store makes the batch wait, and no event loses its map by it', async () => {
      const project = await harness.createProject('store-trouble')
      const id = debugIdOf('7')
      await upload(harness, project, scriptAndMap(first, id))
      let failures = 0
      const blobs = {
        ...harness.blobs,
        get: (name: string) =>
          failures++ < 3 ? Promise.reject(new Error('the disk is gone')) : harness.blobs.get(name),
      }
      const pipeline = await harness.start({ blobs, workers: { threads: 1 } })
      await harness.append(project, envelope(event('7'.repeat(32), first, images(id))))
      await until(() => pipeline.state().trouble?.message === 'the disk is gone', 'trouble shows', 60_000)
      await until(() => pipeline.state().events === 1, 'it is stored', 60_000)
      assert.deepEqual([pipeline.state().trouble, pipeline.state().processingFailures], [undefined, 0])
      await pipeline.stop()
      const [row] = await rows(project)
      assert.equal(row?.unreadable, '')
      assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 1 })
    })
  })
})
