import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { EXPORTED_TABLES, openBlobs } from '@sonde/stores'
import type { ExportManifest } from '../../src/export/manifest.ts'
import { verifyExport } from '../../src/export/verify-export.ts'
import { exportTo, fill, openStores, ROWS, type Stores, WEEKS } from './export-fixture.ts'

const problemsOf = async (dir: string): Promise<readonly string[]> =>
  (await verifyExport(openBlobs({ dir }))).problems

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

void describe('an export of an organization', () => {
  let stores: Stores
  let to: string
  let manifest: ExportManifest
  let steps: number
  before(async () => {
    stores = await openStores()
    await fill(stores)
    to = join(stores.dir, 'whole')
    const done = await exportTo(stores, { to })
    manifest = done.manifest
    steps = done.steps
  })
  after(() => stores.close())

  void test('has all rows of its projects in every table, and none of another organization', async () => {
    for (const table of EXPORTED_TABLES) {
      const [counted] = await stores.telemetry.query<{ n: number; other: number; weeks: number }>(
        `SELECT count() AS n, countIf(project_id = 3) AS other, uniqExact(_file) AS weeks
         FROM file('${to}/telemetry/${table}/*.parquet')`,
      )
      const wanted = 2 * WEEKS.length * ROWS
      assert.deepEqual(counted, { n: wanted, other: 0, weeks: counted?.weeks }, table)
      assert.equal(manifest.telemetry[table]?.rows, wanted, table)
    }
  })

  void test('has the values of a row as they are stored', async () => {
    for (const table of ['events', 'spans', 'replays', 'metrics'] as const) {
      const columns = manifest.telemetry[table]?.columns.map(({ name }) => name).join(', ')
      const hash = (from: string): Promise<{ sum: string }[]> =>
        stores.telemetry.query(
          `SELECT toString(sum(sipHash64(toJSONString(tuple(${columns}))))) AS sum FROM ${from} WHERE project_id IN (1, 2)`,
        )
      const types = manifest.telemetry[table]?.columns.map(({ name, type }) => `${name} ${type}`).join(', ')
      const file = `file('${to}/telemetry/${table}/*.parquet', 'Parquet', '${types?.replaceAll("'", "\\'")}')`
      assert.deepEqual(await hash(file), await hash(table), table)
    }
  })

  void test('is read by the statement that its documentation shows', async () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../../../docs/reference/export-format.md'),
      'utf8',
    )
    const [, statement = ''] = /clickhouse local --query "([^"]+)"/.exec(page) ?? []
    assert.ok(statement.includes("file('telemetry/"))
    const rows = await stores.telemetry.query<{ title: string; events: number }>(
      statement.replace("file('telemetry/", `file('${to}/telemetry/`),
    )
    assert.ok(rows.length > 0)
    for (const { title, events } of rows) {
      const [stored] = await stores.telemetry.query<{ n: number }>(
        'SELECT count() AS n FROM events WHERE project_id IN (1, 2) AND title = {title:String}',
        { title },
      )
      assert.equal(events, stored?.n, title)
    }
  })

  void test('has the records of the organization without secrets, and each file once', () => {
    assert.deepEqual(
      linesOf(join(to, 'records/project.ndjson')).map(({ slug }) => slug),
      ['shop', 'api'],
    )
    const [token] = linesOf(join(to, 'records/api_token.ndjson'))
    assert.equal(token?.['name'], 'ci')
    assert.equal(token?.['token_hash'], undefined)
    assert.equal(linesOf(join(to, 'records/attachment.ndjson')).length, 8)
    assert.equal(readFileSync(join(to, 'files/attachments/1/own-1'), 'utf8'), 'own-1 of shop')
    assert.deepEqual(manifest.blobs, { count: 4, bytes: manifest.blobs.bytes, unreadable: 0 })
    assert.ok(!existsSync(join(to, 'files/attachments/3')))
    assert.equal(manifest.leftOut.columns['api_token']?.[0], 'token_hash')
    const texts = readdirSync(join(to, 'records')).map((name) =>
      readFileSync(join(to, 'records', name), 'utf8'),
    )
    assert.ok(!texts.some((text) => text.includes('f'.repeat(64))))
  })

  void test('is as its checksums say, for us and for sha256sum', async () => {
    assert.deepEqual(await problemsOf(to), [])
    execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256sums.txt'], { cwd: to })
  })

  void test('cut before a file, it goes on and is the same', async () => {
    const sums = readFileSync(join(to, 'sha256sums.txt'), 'utf8').split('\n').toSorted()
    const cut = join(stores.dir, 'cut')
    // In the telemetry and in the files.
    for (const cutAt of [20, steps - 2]) {
      rmSync(cut, { recursive: true, force: true })
      await assert.rejects(exportTo(stores, { to: cut, cutAt }), /cut/)
      assert.ok(!existsSync(join(cut, 'manifest.json')))
      // As a crash in the middle of a line leaves it.
      appendFileSync(join(stores.dir, 'work/journal.ndjson'), '{"path":"torn')
      appendFileSync(join(stores.dir, 'work/blobs.ndjson'), '{"name":"torn')
      const again = await exportTo(stores, { to: cut })
      assert.ok(again.steps <= steps - cutAt + 1, `${again.steps} steps after ${cutAt} of ${steps}`)
      const own = readFileSync(join(cut, 'sha256sums.txt'), 'utf8').split('\n').toSorted()
      assert.deepEqual(own, sums)
      assert.deepEqual(await problemsOf(cut), [])
    }
  })

  void test('damage is found and named', async () => {
    const [week = ''] = readdirSync(join(to, 'telemetry/events'))
    const path = join(to, 'telemetry/events', week)
    const bytes = readFileSync(path)
    const damaged = Buffer.from(bytes)
    damaged[100] = (damaged[100] ?? 0) ^ 1
    writeFileSync(path, damaged)
    rmSync(join(to, 'files/attachments/1/own-1'))
    truncateSync(join(to, 'records/project.ndjson'), 10)
    writeFileSync(join(to, 'records/more.ndjson'), '')
    assert.deepEqual(
      (await problemsOf(to)).map((problem) => problem.replace(/\(.*\)/, '')),
      [
        `telemetry/events/${week}: its content is not what was written `,
        'records/project.ndjson: its content is not what was written ',
        'files/attachments/1/own-1: it is missing',
        'records/more.ndjson: it is not of this export',
      ],
    )
    rmSync(join(to, 'manifest.json'))
    await assert.rejects(problemsOf(to), /no export/)
  })

  void test('a file that is gone is told of, and what was deleted does not go along', async () => {
    await stores.blobs.delete('attachments/2/own-2')
    await stores.records
      .insertInto('recently_deleted')
      .values({
        id: 1,
        kind: 'project',
        org_id: 1,
        project_id: 1,
        actor: 'operator',
        count: 1,
        deleted_ms: WEEKS[1] ?? 0,
        purge_ms: 9e12,
      } as never)
      .execute()
    await stores.records.insertInto('hidden_project').values({ project_id: 1, deleted_id: 1 }).execute()
    const dir = join(stores.dir, 'less')
    const { manifest: less } = await exportTo(stores, { to: dir })
    assert.deepEqual(less.blobs, { count: 1, bytes: less.blobs.bytes, unreadable: 1 })
    assert.deepEqual(
      less.projects.map(({ slug }) => slug),
      ['api'],
    )
    assert.equal(less.telemetry['events']?.rows, WEEKS.length * ROWS)
    assert.deepEqual(await problemsOf(dir), [])
  })
})
