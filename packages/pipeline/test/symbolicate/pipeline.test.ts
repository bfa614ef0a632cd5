/** From the log to the stored event: scripts and maps among the uploaded files, on real worker threads. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { openWorld, until, type World } from '../commit/world.ts'
import { buildApp, type BuiltApp, placeOfText } from '../maps/built-app.ts'
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

let world: World
let first: BuiltApp
let second: BuiltApp
before(async () => {
  world = await openWorld()
  first = await buildApp(files(''))
  second = await buildApp(files("function another(a) { console.log('new here', a) }\nanother(location.href)"))
})
after(() => world?.close())

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
  world.telemetry.query<Row>(
    `SELECT payload, issue_id, debug_ids, unreadable, title, culprit FROM events
     WHERE project_id = {projectId:UInt32} ORDER BY log_position, item_index`,
    { projectId },
  )
const parsed = (row: Row | undefined): NormalizedEvent => JSON.parse(row?.payload ?? '') as NormalizedEvent

describe('the pipeline', () => {
  it('leads frames back by debug id, keeps them as they came, and makes one issue of two releases', async () => {
    const project = await world.createProject('by-debug-id')
    const ids = [debugIdOf('a'), debugIdOf('b')]
    await upload(world, project, scriptAndMap(first, ids[0]!))
    await upload(world, project, scriptAndMap(second, ids[1]!))
    assert.notEqual(first.code, second.code)
    await world.append(project, envelope(event('1'.repeat(32), first, images(ids[0]!))))
    await world.append(project, envelope(event('2'.repeat(32), second, images(ids[1]!))))
    const pipeline = await world.start({ workers: { threads: 1 } })
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
})
