/** What every engine of the records must do; callers build on each of these. Run by the engines' tests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { contains, countIf, greatest, least, readVersion, startsWith } from './expressions.ts'
import type { KeyInfo, KeySource } from './key-source.ts'
import type { OpenRecords } from './records-engine.ts'
import type { Records } from './schema.ts'
import { textIndexOf } from './text-index.ts'
import { writeTransaction } from './write-transaction.ts'

/** Each call opens the same store, which was empty at first. */
export type RecordsOpener = {
  readonly open: () => Promise<OpenRecords>
  readonly openKeys: () => Promise<KeySource>
}

export function testRecords(name: string, { open, openKeys }: RecordsOpener): void {
  test(`${name}: opening again finds what was written, and migrates nothing twice`, async () => {
    const first = await open()
    await first.db.insertInto('setting').values({ name: 'kept', value: '1' }).execute()
    await first.close()
    const second = await open()
    const row = await second.db
      .selectFrom('setting')
      .selectAll()
      .where('name', '=', 'kept')
      .executeTakeFirst()
    assert.deepEqual(row, { name: 'kept', value: '1' })
    await second.close()
  })

  test(`${name}: a failed transaction leaves nothing behind`, async () => {
    const { db, close } = await open()
    const failed = writeTransaction(db, async (tx) => {
      await tx.insertInto('setting').values({ name: 'half', value: '1' }).execute()
      throw new Error('stop')
    })
    await assert.rejects(failed, /stop/)
    const rows = await db.selectFrom('setting').selectAll().where('name', '=', 'half').execute()
    assert.deepEqual(rows, [])
    await close()
  })

  test(`${name}: concurrent read-then-write transactions lose no update`, async () => {
    const { db, close } = await open()
    await db.insertInto('pipeline_state').values({ name: 'count', position: 0 }).execute()
    const add = () =>
      writeTransaction(db, async (tx) => {
        const row = await tx.selectFrom('pipeline_state').select('position').executeTakeFirstOrThrow()
        await new Promise((resolve) => setImmediate(resolve))
        await tx
          .updateTable('pipeline_state')
          .set({ position: row.position + 1 })
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, add))
    const row = await db.selectFrom('pipeline_state').select('position').executeTakeFirstOrThrow()
    assert.equal(row.position, 50)
    await close()
  })

  test(`${name}: an upsert returns its row, and references hold`, async () => {
    const { db, close } = await open()
    const put = (value: string) =>
      db
        .insertInto('setting')
        .values({ name: 'upsert', value })
        .onConflict((on) => on.column('name').doUpdateSet({ value }))
        .returning('value')
        .executeTakeFirstOrThrow()
    assert.deepEqual(await put('1'), { value: '1' })
    assert.deepEqual(await put('2'), { value: '2' })
    const orphan = { project_id: 999, public_key: 'f'.repeat(32), label: '', created_ms: 1 }
    await assert.rejects(db.insertInto('project_key').values(orphan).execute())
    await close()
  })

  test(`${name}: text comes back as it was, integers up to 2^53 too`, async () => {
    const { db, close } = await open()
    const value = `a'"\\\n😀${'ي'.repeat(3)}<b>`
    await db.insertInto('setting').values({ name: value, value }).execute()
    const row = await db.selectFrom('setting').selectAll().where('name', '=', value).executeTakeFirstOrThrow()
    assert.equal(row.value, value)
    const position = Number.MAX_SAFE_INTEGER
    await db.insertInto('pipeline_state').values({ name: 'far', position }).execute()
    const far = await db.selectFrom('pipeline_state').selectAll().where('name', '=', 'far').execute()
    assert.equal(far[0]?.position, position)
    await close()
  })

  test(`${name}: numbers are numbers, also those that are counted, summed or beyond 32 bits`, async () => {
    const { db, close } = await open()
    const projectId = await addKey(db, 'd'.repeat(32))
    const days = [1, 2, 3].map((day_ms) => ({ project_id: projectId, day_ms, spans: 2 ** 40 + day_ms }))
    await db.insertInto('span_usage').values(days).execute()
    const sums = await db
      .selectFrom('span_usage')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.sum<number>('spans').as('sum'),
        fn.max('spans').as('most'),
        fn.sum<number | null>('spans').filterWhere('day_ms', '>', 9).as('none'),
      ])
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(sums, { count: 3, sum: 3 * 2 ** 40 + 6, most: 2 ** 40 + 3, none: null })
    await close()
  })

  test(`${name}: how many rows were changed is told, and none when the row was there`, async () => {
    const { db, close } = await open()
    const insert = () =>
      db
        .insertInto('setting')
        .values({ name: 'once', value: '1' })
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
    assert.equal((await insert()).numInsertedOrUpdatedRows, 1n)
    assert.equal((await insert()).numInsertedOrUpdatedRows, 0n)
    const update = db.updateTable('setting').set({ value: '2' }).where('name', '=', 'once')
    assert.equal((await update.executeTakeFirst()).numUpdatedRows, 1n)
    const remove = db.deleteFrom('setting').where('name', '=', 'once').returning('value')
    assert.deepEqual(await remove.execute(), [{ value: '2' }])
    assert.deepEqual(await remove.execute(), [])
    await close()
  })

  test(`${name}: an id that was given is not given again, and a project takes its rows along`, async () => {
    const { db, close } = await open()
    const projectId = await addKey(db, 'e'.repeat(32))
    const letter = () =>
      db
        .insertInto('dead_letter')
        .values({ ...DEAD_LETTER, project_id: projectId })
        .returning('id')
        .executeTakeFirstOrThrow()
    const first = await letter()
    await db.deleteFrom('dead_letter').where('id', '=', first.id).execute()
    assert.ok((await letter()).id > first.id)
    await assert.rejects(letter(), 'the same item of the log')
    await db.deleteFrom('project').where('id', '=', projectId).execute()
    const keys = await db.selectFrom('project_key').select('id').where('project_id', '=', projectId).execute()
    assert.deepEqual(keys, [])
    await close()
  })

  test(`${name}: the lesser and the greater of two, either of which may be missing`, async () => {
    const { db, close } = await open()
    const of = async (a: number | null, b: number | null) => {
      const [x, y] = [sql<number | null>`cast(${a} as bigint)`, sql<number | null>`cast(${b} as bigint)`]
      const found = await sql<
        Record<string, unknown>
      >`select ${least(x, y)} as a, ${greatest(x, y)} as b`.execute(db)
      return [found.rows[0]?.['a'], found.rows[0]?.['b']]
    }
    assert.deepEqual(await of(1, 2), [1, 2])
    assert.deepEqual(await of(2, 1), [1, 2])
    assert.deepEqual(await of(null, 3), [3, 3])
    assert.deepEqual(await of(3, null), [3, 3])
    assert.deepEqual(await of(null, null), [null, null])
    await close()
  })

  test(`${name}: rows are counted by a condition, and found by how a text begins, by code points`, async () => {
    const { db, close } = await open()
    const names = ['p-a', 'p-', 'P-a', 'p-\u{10FFFF}z', 'p-ä', 'p.', 'q', 'p']
    await db
      .insertInto('setting')
      .values(names.map((each) => ({ name: each, value: each === 'q' ? '' : 'x' })))
      .execute()
    const found = await db
      .selectFrom('setting')
      .select('name')
      .where(startsWith('name', 'p-'))
      .orderBy('setting.name')
      .execute()
    assert.deepEqual(
      found.map((row) => row.name),
      ['p-', 'p-a', 'p-ä', 'p-\u{10FFFF}z'],
    )
    const within = async (text: string) =>
      (await db.selectFrom('setting').select('name').where(contains('name', text)).execute()).length
    assert.deepEqual(
      [await within('P-'), await within('-Ä'), await within('_'), await within('\\')],
      [5, 0, 0, 1],
    )
    const { empty, none } = await db
      .selectFrom('setting')
      .select([countIf(sql`value = ''`).as('empty'), countIf(sql`value = 'nothing'`).as('none')])
      .where('name', 'in', names)
      .executeTakeFirstOrThrow()
    assert.deepEqual([empty, none], [1, 0])
    await close()
  })

  test(`${name}: versions change with what they are of, and with nothing else`, async () => {
    const { db, close } = await open()
    const projectId = await addKey(db, 'f'.repeat(32))
    const versions = async () => [await readVersion(db, 'settings'), await readVersion(db, 'artifacts')]
    const [settings, artifacts] = await versions()
    await db.updateTable('project').set({ issue_counter: 3 }).where('id', '=', projectId).execute()
    assert.deepEqual(await versions(), [settings, artifacts])
    const limits = { rate_limit_count: null, rate_limit_window_sec: null }
    await db
      .insertInto('project_setting')
      .values({ project_id: projectId, value: '{}', ...limits, updated_ms: 1 })
      .execute()
    const [settingsNow, artifactsNow] = await versions()
    assert.notEqual(settingsNow, settings)
    assert.equal(artifactsNow, artifacts)
    await close()
  })

  test(`${name}: issues are looked up by text in any case, and the look-up follows their changes`, async (t) => {
    const { db, close } = await open()
    const projectId = await addKey(db, '9'.repeat(32))
    const index = textIndexOf(db)
    const found = async (...texts: string[]) =>
      (await index.issuesWith(texts, 10)?.execute(db))?.rows.map(({ id }) => id)
    assert.equal(await found('no'), undefined)
    if (index.issuesWith(['text'], 1) === undefined) {
      t.diagnostic('this engine has no index of texts')
      return close()
    }
    const issue = async (number: number, title: string, culprit: string): Promise<number> => {
      const row = { ...ISSUE, project_id: projectId, short_number: number, title, culprit }
      return (await db.insertInto('issue').values(row).returning('id').executeTakeFirstOrThrow()).id
    }
    const cart = await issue(1, 'Cart is EMPTY', 'checkout(cart.ts)')
    const quoted = await issue(2, '100 % "quoted" ÄÖÜ', 'a-b')
    assert.deepEqual(await found('cart'), [cart])
    assert.deepEqual(await found('empty', 'CHECKOUT'), [cart])
    assert.deepEqual(await found('empty', 'nowhere'), [])
    assert.deepEqual(await found('"quoted" ä'), [quoted])
    await db.updateTable('issue').set({ title: 'renamed' }).where('id', '=', cart).execute()
    assert.deepEqual(await found('empty'), [])
    assert.deepEqual(await found('renamed'), [cart])
    await db.deleteFrom('project').where('id', '=', projectId).execute()
    assert.deepEqual(await found('renamed'), [])
    await close()
  })

  test(`${name}: keys come with their limits and project, and anew after a change of one of these alone`, async () => {
    const { db, close } = await open()
    const source = await openKeys()
    const projectId = await addKey(db, 'a'.repeat(32))
    let version: string | undefined
    /** Undefined: nothing changed. */
    const read = async (): Promise<KeyInfo | 'deleted' | undefined> => {
      const found = await source.read(version)
      version = found?.version ?? version
      return found && (found.keys.get('a'.repeat(32)) ?? 'deleted')
    }
    const key = await read()
    assert.ok(typeof key === 'object')
    const { keyId, orgId } = key
    const ids = { keyId, projectId, orgId }
    assert.deepEqual(key, { ...ids, isActive: true, spanCaps: {}, allowedDomains: [] })
    assert.equal(await read(), undefined)

    const limit = { rate_limit_count: 10, rate_limit_window_sec: 60 }
    const keyOf = db.updateTable('project_key').where('id', '=', keyId)
    await keyOf.set({ is_active: 0, active_until_ms: 1_000, ...limit }).execute()
    const rateLimit = { count: 10, windowSec: 60 }
    const ended = { ...ids, isActive: false, activeUntilMs: 1_000, rateLimit, spanCaps: {} }
    assert.deepEqual(await read(), { ...ended, allowedDomains: [] })
    await db.updateTable('project').set({ issue_counter: 7 }).where('id', '=', projectId).execute()
    assert.equal(await read(), undefined, 'an issue is no change of keys')

    const setting = { project_id: projectId, value: '{}', updated_ms: 1 }
    await db
      .insertInto('project_setting')
      .values({ ...setting, ...limit })
      .execute()
    assert.deepEqual(await read(), { ...ended, projectRateLimit: rateLimit, allowedDomains: [] })
    const change = db.updateTable('project_setting').where('project_id', '=', projectId)
    await change.set({ value: '{"filters":{}}' }).execute()
    assert.equal(await read(), undefined, 'ingest does not read filters')
    await change.set({ span_minute_cap: 1_000, spans_refused_until_ms: 86_400_000 }).execute()
    const capped = await read()
    assert.ok(typeof capped === 'object')
    assert.deepEqual(capped.spanCaps, { perMinute: 1_000, refusedUntilMs: 86_400_000 })
    for (const [stored, domains] of [
      ['["shop.example"]', ['shop.example']],
      ['["shop.exa', []],
      [null, []],
    ] as const) {
      await change.set({ allowed_domains: stored }).execute()
      const found = await read()
      assert.ok(typeof found === 'object')
      assert.deepEqual(found.allowedDomains, domains)
    }
    const { id } = await db
      .insertInto('recently_deleted')
      .values({
        kind: 'project',
        org_id: orgId,
        project_id: projectId,
        actor: '',
        count: 1,
        deleted_ms: 1,
        purge_ms: 2,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('hidden_project').values({ project_id: projectId, deleted_id: id }).execute()
    assert.equal(await read(), 'deleted', 'of a project that can still be restored')
    await db.deleteFrom('recently_deleted').where('id', '=', id).execute()
    assert.ok(typeof (await read()) === 'object')
    await db.deleteFrom('project').where('id', '=', projectId).execute()
    assert.equal(await read(), 'deleted')
    await source.close()
    await close()
  })
}

const DEAD_LETTER = {
  log_position: 1,
  item_index: 0,
  item_type: 'event',
  reason: 'store_refused',
  detail: '',
  blob: 'dead/1',
  created_ms: 1,
  replayed_ms: null,
}

const ISSUE = {
  type: 'error',
  level: 'error',
  platform: 'node',
  metadata: '{}',
  logger: '',
  status: 'unresolved',
  substatus: 'new',
  is_unhandled: 0,
  first_seen_ms: 1,
  last_seen_ms: 1,
  event_count: 1,
  first_release: '',
  last_release: '',
  last_event_id: '',
  created_ms: 1,
} as const

/** An organization with a project that has this key. Returns the project. */
export async function addKey(db: Records, publicKey: string): Promise<number> {
  const org = await db
    .insertInto('organization')
    .values({ slug: `org-${publicKey[0]}`, name: 'Acme', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await db
    .insertInto('project')
    .values({ org_id: org.id, slug: 'shop', name: 'Shop', platform: 'javascript', created_ms: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('project_key')
    .values({ project_id: project.id, public_key: publicKey, label: 'Default', created_ms: 1 })
    .execute()
  return project.id
}
