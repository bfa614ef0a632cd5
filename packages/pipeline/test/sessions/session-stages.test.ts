import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROW_COLUMNS } from '@sonde/stores'
import { SESSION_STAGES } from '../../src/sessions/session-stages.ts'
import { isDropped } from '../../src/stage-runner.ts'
import { type Given, RECEIVED, RECEIVED_MS, spanInput } from '../spans/span-input-of.ts'

const SID = '7f1a6f1e0d3c4b8f9f3f0d2f6a1b2c3d'
const ATTRS = { release: 'shop@1', environment: 'production', user_agent: 'Mozilla/5.0' }
const started = new Date(RECEIVED_MS - 60_000).toISOString()

const update = (fields: Record<string, unknown> = {}) => ({
  sid: SID,
  init: true,
  started,
  timestamp: started,
  status: 'ok',
  errors: 0,
  did: '42',
  attrs: ATTRS,
  ...fields,
})
const run = (payload: unknown, given: Partial<Given> = {}) =>
  SESSION_STAGES.run(spanInput({ header: { type: 'session' }, payload, ...given }), new Map())
const counts = (aggregates: unknown, given: Partial<Given> = {}) =>
  run({ aggregates, attrs: ATTRS }, { header: { type: 'sessions' }, ...given })

function stored(result: ReturnType<typeof run>) {
  assert.ok(!isDropped(result), JSON.stringify(result))
  const rows = String(result.item.rows.sessions)
    .split('\n')
    .map((line): Record<string, string> => {
      const values = line.split('\t')
      return Object.fromEntries(ROW_COLUMNS.sessions.map((name, at) => [name, values[at] ?? '']))
    })
  return { ...result, rows, row: rows[0] ?? {} }
}
function reasonOf(result: ReturnType<typeof run>): string {
  assert.ok(isDropped(result))
  return `${result.dropped.outcome}:${result.dropped.reason}`
}
const disjoint = (row: Record<string, string>) =>
  ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'].map((name) => Number(row[name]))
const versionOf = (fields: Record<string, unknown>) => Number(stored(run(update(fields))).row['version'])

test('an update is one row of its session, of its release and environment', () => {
  const { item, row, outcomes } = stored(run(update({ duration: 1.5 })))
  assert.equal(row['session_id'], SID)
  assert.equal(row['release'], 'shop@1')
  assert.equal(row['environment'], 'production')
  assert.equal(row['status'], 'ok')
  assert.equal(row['duration_ms'], '1500')
  assert.deepEqual(disjoint(row), [1, 0, 0, 0, 0])
  assert.deepEqual(item.counts, [{ category: 'session', quantity: 1 }])
  assert.deepEqual(item.releases, ['shop@1'])
  assert.deepEqual(outcomes, [])
})

for (const [status, errors, wanted] of [
  ['ok', 0, [1, 0, 0, 0, 0]],
  ['exited', 0, [1, 0, 0, 0, 0]],
  ['ok', 1, [0, 1, 0, 0, 0]],
  ['exited', '3', [0, 1, 0, 0, 0]],
  ['errored', 0, [0, 1, 0, 0, 0]],
  ['unhandled', 1, [0, 0, 1, 0, 0]],
  ['abnormal', 0, [0, 0, 0, 1, 0]],
  ['crashed', 1, [0, 0, 0, 0, 1]],
  ['of tomorrow', 0, [1, 0, 0, 0, 0]],
  ['ok', -5, [1, 0, 0, 0, 0]],
] as const)
  test(`a session that is ${status} with ${errors} errors counts in one place`, () => {
    assert.deepEqual(disjoint(stored(run(update({ status, errors }))).row), wanted)
  })

test('a later update is above an earlier one, the end above both, and a repeated one is the same', () => {
  const begun = versionOf({ init: true })
  const later = versionOf({ init: false, timestamp: RECEIVED - 10, errors: 1 })
  const latest = versionOf({ init: false, timestamp: RECEIVED - 5, errors: 1 })
  const ended = versionOf({ init: false, timestamp: RECEIVED - 20, status: 'exited' })
  const inOne = versionOf({ init: true, status: 'exited' })
  assert.ok(begun < later && later < latest && latest < inOne && inOne < ended)
  assert.equal(versionOf({ init: false, timestamp: RECEIVED - 5, errors: 1 }), latest)
  assert.ok(versionOf({ seq: 3 }) > versionOf({ seq: 2 }))
  assert.ok(versionOf({ seq: 1e300, status: 'crashed', errors: 1e9 }) <= Number.MAX_SAFE_INTEGER)
})

test('all updates of a session have one key, also when the clock of the sender is wrong by hours', () => {
  const zone = 5.5 * 3_600_000
  const sent = (delayMs: number, fields: Record<string, unknown>) =>
    stored(
      run(update({ started: new Date(RECEIVED_MS - zone - 60_000).toISOString(), ...fields }), {
        sentAtMs: RECEIVED_MS - zone - delayMs,
      }),
    ).row
  const [first, second] = [sent(20, {}), sent(2_500, { init: false, status: 'exited' })]
  assert.equal(first['started'], second['started'])
  assert.equal(first['started'], stored(run(update())).row['started'])
})

test('who it was is not kept, only whether it is the same one', () => {
  const hashOf = (did: unknown) => stored(run(update({ did }))).row['user_hash']
  assert.match(hashOf('ada@example.com') ?? '', /^[0-9a-f]{16}$/)
  assert.equal(hashOf('42'), hashOf(42))
  assert.notEqual(hashOf('42'), hashOf('43'))
  for (const did of [undefined, null, '', {}, []]) assert.equal(hashOf(did), '')
})

test('counts of a minute are rows of their own, disjoint as they came', () => {
  const { rows, item } = stored(
    counts([
      { started, exited: 120, errored: 3, crashed: 1 },
      { started, did: 'ada', exited: 2, abnormal: 1, unhandled: 4 },
    ]),
  )
  assert.deepEqual(rows.map(disjoint), [
    [120, 3, 0, 0, 1],
    [2, 0, 4, 1, 0],
  ])
  assert.equal(new Set(rows.map((row) => row['session_id'])).size, 2)
  assert.deepEqual(item.counts, [{ category: 'session', quantity: 2 }])
})

test('two servers that count the same are two; the same request again is a repetition', () => {
  const idOf = (given: Partial<Given>) => stored(counts([{ started, exited: 1 }], given)).item.eventId
  assert.equal(idOf({ sentAtMs: RECEIVED_MS - 5 }), idOf({ sentAtMs: RECEIVED_MS - 5 }))
  assert.notEqual(idOf({ sentAtMs: RECEIVED_MS - 5 }), idOf({ sentAtMs: RECEIVED_MS - 4 }))
  const at = (position: number) => {
    const payload = { aggregates: [{ started, exited: 1 }], attrs: ATTRS }
    const input = { ...spanInput({ header: { type: 'sessions' }, payload }), position }
    return stored(SESSION_STAGES.run(input, new Map())).item.eventId
  }
  assert.notEqual(at(1), at(2), 'nobody says when it was sent')
})

test('counts that cannot be are counted as lost, the others of the item stay', () => {
  const bad = [
    { started, exited: -1 },
    { started, exited: 1e12 },
    { started, exited: 1.5 },
    { started, exited: '7' },
    { exited: 1 },
    { started: '1970-01-01T00:00:00Z', exited: 1 },
    { started: '2300-01-01T00:00:00Z', exited: 1 },
    null,
    [],
    'x',
  ]
  const { rows, outcomes } = stored(counts([...bad, { started, exited: 1 }, { started }]))
  assert.equal(rows.length, 1, 'one counts something, one counts nothing')
  assert.deepEqual(
    outcomes.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
    [['invalid', 'bad_payload', bad.length]],
  )
})

test('an item holds ten thousand counts; the rest is counted as too many', () => {
  const { rows, outcomes } = stored(counts(Array.from({ length: 10_500 }, () => ({ started, exited: 1 }))))
  assert.equal(rows.length, 10_000)
  assert.deepEqual(
    outcomes.map(({ reason, quantity }) => [reason, quantity]),
    [['too_many_items', 500]],
  )
})

for (const [what, payload] of [
  ['no release', update({ attrs: { environment: 'production' } })],
  ['a release that names nothing', update({ attrs: { release: '..' } })],
  ['no attributes', update({ attrs: null })],
  ['no start', update({ started: undefined })],
  ['a start of last month', update({ started: RECEIVED - 30 * 86_400 })],
  ['a start of tomorrow', update({ started: RECEIVED + 86_400 })],
  ['a list', [update()]],
] as const)
  test(`a session with ${what} is invalid`, () => {
    assert.equal(reasonOf(run(payload)), 'invalid:bad_payload')
  })

test('the filters of the project hold for sessions: releases and crawlers', () => {
  const filters = { ...spanInput({ payload: {} }).settings.filters, releases: ['shop@*'] }
  assert.equal(reasonOf(run(update(), { settings: { filters } })), 'filtered:release')
  const crawlers = { ...filters, releases: [], crawlers: true }
  const attrs = { ...ATTRS, user_agent: 'Googlebot/2.1' }
  assert.equal(reasonOf(run(update({ attrs }), { settings: { filters: crawlers } })), 'filtered:crawler')
})
