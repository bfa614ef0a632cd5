/** What every engine of telemetry must do. Run by the engines' tests, on one open, empty store. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { SondeError } from '@sonde/base'
import { rowsOfParquet } from '../export/read-parquet.ts'
import { type ConsoleAnswer, ConsoleError } from './console.ts'
import { RefusedRows } from './engine-error.ts'
import { encodeEventRow, encodeIndexRow, encodeOutcomeRow, ROW_COLUMNS, withIssueId } from './rows.ts'
import type { EventFields } from './tables/tables.ts'
import type { Telemetry } from './telemetry.ts'

export const SAMPLE: EventFields = {
  projectId: 1,
  eventId: '0123456789abcdef0123456789abcdef',
  timestampMs: Date.UTC(2026, 0, 5, 12, 0, 0, 123),
  receivedMs: Date.now(),
  logPosition: 2 ** 52 + 1,
  itemIndex: 3,
  type: 'error',
  level: 'error',
  platform: 'javascript',
  release: 'shop@1.2.3',
  dist: '',
  environment: 'production',
  transaction: '/cart/[id]',
  title: 'TypeError: x is not a function',
  culprit: 'checkout(cart.ts)',
  exceptionType: 'TypeError',
  exceptionValue: 'x is not a function',
  message: '',
  handled: 'no',
  userKey: 'id:42',
  sdkName: 'sentry.javascript.browser',
  sdkVersion: '10.0.0',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  url: 'https://shop.example/cart/1',
  tags: { browser: 'Firefox 140', __proto__x: '1' },
  hashes: ['c'.repeat(32)],
  debugIds: [],
  unreadable: '',
  revision: 0,
  payload: '{"exception":{"values":[]}}',
}

export function testTelemetry(name: string, telemetry: () => Telemetry): void {
  const put = (token: string, fields: Partial<EventFields>, issueId = 7): Promise<void> =>
    telemetry().insert('events', [withIssueId(encodeEventRow({ ...SAMPLE, ...fields }), issueId)], token)
  const count = async (where: string, params = {}): Promise<number> => {
    const rows = await telemetry().query<{ n: number }>(
      `SELECT count() AS n FROM events WHERE ${where}`,
      params,
    )
    return rows[0]?.n ?? -1
  }

  test(`${name}: an event comes back with every column as it was`, async () => {
    await put('columns', { projectId: 10 })
    const rows = await telemetry().query<Record<string, unknown>>(
      'SELECT *, toUnixTimestamp64Milli(timestamp) AS ms FROM events WHERE project_id = 10',
    )
    const row = rows[0] ?? {}
    assert.equal(row['ms'], SAMPLE.timestampMs)
    assert.equal(row['issue_id'], 7)
    assert.equal(row['log_position'], SAMPLE.logPosition)
    assert.equal(row['event_id'], SAMPLE.eventId)
    assert.deepEqual(row['tags'], SAMPLE.tags)
    assert.deepEqual(row['hashes'], SAMPLE.hashes)
    assert.equal(row['payload'], SAMPLE.payload)
    const texts = ['type', 'level', 'platform', 'release', 'environment', 'transaction', 'title', 'culprit']
    for (const text of texts) assert.equal(row[text], SAMPLE[text as keyof EventFields])
  })

  test(`${name}: rows of a query come into a Parquet file, and what fails says so`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-parquet-'))
    try {
      await put('parquet', { projectId: 40 })
      await put('parquet 2', { projectId: 40, title: `it's "quoted"` })
      const path = join(dir, 'some.parquet')
      const sql = 'SELECT event_id, tags, title FROM events WHERE project_id = {project:UInt32}'
      await telemetry().writeParquet(path, sql, { project: 40 })
      assert.equal(await rowsOfParquet(path), 2)
      assert.ok(readFileSync(path).length > 500)
      const failed = telemetry().writeParquet(join(dir, 'none.parquet'), 'SELECT nothing FROM events')
      await assert.rejects(failed, SondeError)
      assert.equal(await count('project_id = 40'), 2)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test(`${name}: a batch that comes again under its token is dropped, in every table`, async () => {
    for (let time = 0; time < 3; time++) {
      await put('again', { projectId: 11 })
      await telemetry().insert(
        'event_index',
        [withIssueId(encodeIndexRow({ ...SAMPLE, projectId: 11 }), 7)],
        'again',
      )
      const outcome = { atMs: Date.now(), projectId: 11, keyId: 1, category: 'error', reason: '' }
      await telemetry().insert(
        'outcomes',
        [encodeOutcomeRow({ ...outcome, outcome: 'accepted', quantity: 5 })],
        'again',
      )
    }
    await put('another', { projectId: 11 })
    assert.equal(await count('project_id = 11'), 2)
    const index = await telemetry().query('SELECT issue_id FROM event_index WHERE project_id = 11')
    assert.deepEqual(index, [{ issue_id: 7 }])
    const sums = await telemetry().query('SELECT sum(quantity) AS n FROM outcomes WHERE project_id = 11')
    assert.deepEqual(sums, [{ n: 5 }])
  })

  test(`${name}: two batches under different tokens are both kept though their rows are equal`, async () => {
    await put('equal-1', { projectId: 12 })
    await put('equal-2', { projectId: 12 })
    assert.equal(await count('project_id = 12'), 2)
  })

  test(`${name}: odd text comes back as it was, half surrogates as the replacement character`, async () => {
    const odd = ['a\0b', `'"\\ \n\t\r`, '😀 \u202eRTL <script>', '{x:String}', '\\N', 'NULL', '\u2028']
    for (const [at, text] of odd.entries())
      await put(`odd-${at}`, { projectId: 13, title: text, payload: text, itemIndex: at, tags: { k: text } })
    await put('odd-half', { projectId: 13, title: 'x\ud83d', payload: '\udc00', itemIndex: odd.length })
    const rows = await telemetry().query<{ title: string; payload: string; tag: string }>(
      "SELECT title, payload, tags['k'] AS tag FROM events WHERE project_id = 13 ORDER BY item_index",
    )
    assert.deepEqual(
      rows.map((row) => row.title),
      [...odd, 'x\ufffd'],
    )
    assert.deepEqual(
      rows.slice(0, -1).map((row) => [row.payload, row.tag]),
      odd.map((text) => [text, text]),
    )
    assert.equal(rows.at(-1)?.payload, '\ufffd')
    for (const title of odd)
      assert.equal(await count('project_id = 13 AND title = {title:String}', { title }), 1)
  })

  test(`${name}: events of 1970 and 2100 are kept, since age counts from their receipt`, async () => {
    const times = [
      0,
      1,
      Date.UTC(1970, 0, 2),
      Date.UTC(2100, 5, 1),
      Date.UTC(9999, 0, 1),
      -5,
      Number.NaN,
      1.7,
    ]
    for (const [at, timestampMs] of times.entries())
      await put(`time-${at}`, { projectId: 14, timestampMs, itemIndex: at })
    await telemetry().command('OPTIMIZE TABLE events FINAL')
    const rows = await telemetry().query<{ ms: number }>(
      'SELECT toUnixTimestamp64Milli(timestamp) AS ms FROM events WHERE project_id = 14 ORDER BY item_index',
    )
    assert.deepEqual(
      rows.map((row) => row.ms),
      [0, 1, 86_400_000, Date.UTC(2100, 5, 1), Date.UTC(2106, 0, 1), 0, 0, 1],
    )
  })

  test(`${name}: one batch may hold a thousand different times`, async () => {
    const rows = Array.from({ length: 1000 }, (_, at) =>
      withIssueId(encodeEventRow({ ...SAMPLE, projectId: 15, timestampMs: at * 86_400_000 * 40 }), at),
    )
    await telemetry().insert('events', rows, 'times')
    assert.equal(await count('project_id = 15'), 1000)
  })

  test(`${name}: parameters of every type are values, never SQL`, async () => {
    const text = "'); DROP TABLE events; --\\"
    const params = {
      text,
      list: [text, 'b\0'],
      ids: [1, 2 ** 40],
      pairs: [
        [1, text],
        [2, "b'"],
      ],
      at: 1_700_000_000_123,
      when: new Date(1_700_000_000_123),
      yes: true,
      big: 18_446_744_073_709_551_615n,
      rows: 1,
    }
    const rows = await telemetry().query(
      `SELECT {text:String} AS text, {list:Array(String)} AS list, {ids:Array(UInt64)} AS ids,
        {pairs:Array(Tuple(UInt32, String))} AS pairs, toUnixTimestamp64Milli({at:DateTime64(3, 'UTC')}) AS at,
        toUnixTimestamp({when:DateTime}) AS seconds, {yes:UInt8} AS yes, toString({big:UInt64}) AS big
       LIMIT {rows:UInt32}`,
      params,
    )
    const { text: same, list, ids, pairs, at } = params
    assert.deepEqual(rows, [
      { text: same, list, ids, pairs, at, seconds: 1_700_000_000, yes: 1, big: String(params.big) },
    ])
  })

  test(`${name}: a wrong query and a missing parameter are our defect, an unknown column in a row too`, async () => {
    await assert.rejects(telemetry().query('SELECT nothing FROM nowhere'), defect)
    await assert.rejects(telemetry().query('SELECT {x:String}', { y: 1 }), /no value was given/)
    await assert.rejects(telemetry().insert('events', ['{"no_such_column":1}'], 'bad'), defect)
  })

  test(`${name}: a value that its column cannot hold is refused, with all rows of its insert`, async () => {
    const good = withIssueId(encodeEventRow({ ...SAMPLE, projectId: 19 }), 7)
    for (const column of ['timestamp', 'log_position'] as const) {
      const cells = Buffer.from(good).toString().split('\t')
      cells[ROW_COLUMNS.events.indexOf(column)] = 'not of this type'
      await assert.rejects(
        telemetry().insert('events', [good, cells.join('\t')], `refused ${column}`),
        (error) => error instanceof RefusedRows && error.kind === 'internal',
      )
    }
    assert.equal(await count('project_id = 19'), 0)
  })

  test(`${name}: rows are deleted step by step, until none is left that matches`, async () => {
    for (const projectId of [20, 21])
      for (const at of [0, 1, 2]) await put(`delete-${projectId}-${at}`, { projectId, itemIndex: at })
    const remove = (where: string, params: Record<string, unknown>) =>
      telemetry().deleteRows('events', where, params)
    const where = 'project_id = {project:UInt32} AND item_index < {below:UInt32}'
    assert.equal(await remove(where, { project: 20, below: 0 }), 0)
    assert.equal(await remove(where, { project: 20, below: 2 }), 2)
    while ((await remove(where, { project: 20, below: 2 })) > 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(await count('project_id = 20'), 1)
    assert.equal(await count('project_id = 21'), 3)
  })

  test(`${name}: what the engine quotes of a query or of a row is in no error`, async () => {
    const secret = 'quoted-to-nobody'
    const failing = [
      () => telemetry().query(`SELECT toUInt64({secret:String}) FROM events`, { secret }),
      () => telemetry().query(`SELECT no_such_column_${'quoted-to-nobody'.replaceAll('-', '_')} FROM events`),
      () => telemetry().command(`INSERT INTO events (project_id) SELECT toUInt32('${secret}')`),
      () => telemetry().insert('events', [`${secret}\t${secret}`], 'quoted'),
    ]
    for (const job of failing) {
      const error = await job().then(
        () => assert.fail('it ran'),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof SondeError)
      // All of it, as a log would have it: message, stack, subject, cause.
      const written = inspect(error, { depth: null, showHidden: true })
      assert.doesNotMatch(written, /quoted.to.nobody/)
      assert.match(written, /clickhouseCode: \d+/)
      assert.match(error.subject ?? '', /events/)
    }
  })

  test(`${name}: a query that needs too much memory or time fails alone and may be tried again`, async () => {
    const greedy = 'SELECT length(range(toUInt64(400000000))) AS n'
    await assert.rejects(
      telemetry().query(greedy),
      (error) => error instanceof SondeError && error.kind === 'unavailable' && error.hint !== undefined,
    )
    await put('after', { projectId: 16 })
    assert.equal(await count('project_id = 16'), 1)
  })

  test(`${name}: the rows of a query that failed on its way are in nobody else's answer`, async () => {
    const failing = `SELECT 'theirs' AS s, throwIf(number = 190000) AS fails FROM numbers(200000)
      SETTINGS max_block_size = 1000`
    // Every connection has one fail, and answers afterwards.
    const failed = await Promise.allSettled([1, 2, 3, 4].map(() => telemetry().query(failing)))
    assert.ok(failed.every(({ status }) => status === 'rejected'))
    const answers = await Promise.all([1, 2, 3, 4].map((n) => telemetry().query(`SELECT ${n} AS n`)))
    assert.deepEqual(answers, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]])
  })

  test(`${name}: a statement of the console reads one database, changes nothing, and has its limits`, async () => {
    const database = {
      name: 'console_test',
      prefix: 'console_test',
      views: [{ name: 'small', select: () => 'SELECT {n:UInt8} AS n', params: { n: 7 } }],
    }
    const own = await telemetry().query('SELECT currentDatabase() AS d')
    const run = (sql: string): Promise<ConsoleAnswer> =>
      telemetry().console.use(database, (statements) => statements.run(sql))
    const refusedWith = (code: number) => (error: unknown) =>
      error instanceof ConsoleError && error.code === code
    assert.deepEqual((await run('SELECT n FROM small')).rows, [[7]])
    await assert.rejects(run('SELECT n FROM nothing'), refusedWith(60))
    for (const change of [
      'DROP VIEW small',
      'CREATE TABLE t (n UInt8) ENGINE = Memory',
      'SELECT 1 SETTINGS readonly = 0',
    ])
      await assert.rejects(run(change), refusedWith(164), change)
    await assert.rejects(run('SELECT length(range(toUInt64(400000000)))'), refusedWith(241))
    assert.deepEqual((await run('SELECT 1')).rows, [[1]])
    assert.equal((await run('SELECT number FROM numbers(2000)')).isCut, true)
    assert.equal(
      await telemetry().console.use(database, ({ format }) => format("select 'a\\n' /* x */")),
      "SELECT 'a\\n'",
    )
    // The other connections are as they were.
    assert.deepEqual(await telemetry().query('SELECT currentDatabase() AS d'), own)
    await put('beside-the-console', { projectId: 18 })
    assert.equal(await count('project_id = 18'), 1)
  })

  test(`${name}: slow queries do not keep an insert waiting`, async () => {
    const slow = telemetry().query('SELECT sum(sipHash64(number)) FROM numbers(20000000)')
    let isSlowDone = false
    const done = slow.then(() => (isSlowDone = true))
    await put('beside', { projectId: 17 })
    assert.equal(isSlowDone, false)
    await done
  })
}

const defect = (error: unknown): boolean =>
  error instanceof SondeError && error.kind === 'internal' && error.hint !== undefined
