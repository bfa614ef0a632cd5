import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { fixedClock, silentLogger, type SondeError } from '@sonde/base'
import { type LogWriter, openLogReader, openLogWriter } from '@sonde/log'
import { openBlobs } from '@sonde/stores'
import { copyRecords, frozenParts, linkBlobs, recordsFacts } from '../../src/backup/collect-files.ts'
import { type BackupSummary, type Manifest, readManifest } from '../../src/backup/manifest.ts'
import { pinSnapshot } from '../../src/backup/pin-snapshot.ts'
import { keptBy } from '../../src/backup/prune-backups.ts'
import { openRepository } from '../../src/backup/repository.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { refuseUnfinishedRestore, writeMarker } from '../../src/backup/restore-marker.ts'

const logger = silentLogger
const NONE = { records: {}, telemetry: {}, blobs: 0, logBytes: 0 }

void describe('the moment of a backup', () => {
  let dir = ''
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'sonde-snapshot-'))
  })
  after(() => rmSync(dir, { recursive: true, force: true }))

  void test('has the records of one transaction, the log from their position on, and no blob that was there before', async () => {
    const dataDir = join(dir, 'data')
    const staging = join(dir, 'staging')
    mkdirSync(join(dataDir, 'telemetry', 'store', 'abc', 'T1', 'all_1_1_0'), { recursive: true })
    writeFileSync(join(dataDir, 'telemetry', 'store', 'abc', 'T1', 'format_version.txt'), '1')
    writeFileSync(join(dataDir, 'telemetry', 'store', 'abc', 'T1', 'all_1_1_0', 'data.bin'), 'a part')
    mkdirSync(join(dataDir, 'telemetry', 'data', 'default'), { recursive: true })
    symlinkSync('../../store/abc/T1', join(dataDir, 'telemetry', 'data', 'default', 'events'))
    const writer = await openLogWriter({ dir: join(dataDir, 'log'), logger, segmentBytes: 2_000 })
    await appendAll(writer, ['a', 'b', 'c', 'd'])
    const reader = await openLogReader({ dir: join(dataDir, 'log'), logger })
    const read = await reader.read(0, { maxRecords: 10, maxBytes: 1e6 }, AbortSignal.timeout(5_000))
    const position = read[2]?.position ?? 0
    const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
    records.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE pipeline_state (name text, log_partition integer, position integer);
      CREATE TABLE schema_migration (name text); INSERT INTO schema_migration VALUES ('0001-first');
      CREATE TABLE issue (id integer PRIMARY KEY, title text); INSERT INTO issue VALUES (1, 'one')`)
    records.prepare('INSERT INTO pipeline_state VALUES (?, 0, ?)').run('pipeline', position)

    const pinned = await pinSnapshot({ dataDir, staging, secretFile: join(dataDir, 'secret.key') })
    records.exec(`INSERT INTO issue VALUES (2, 'two')`)
    await appendAll(writer, ['e'])
    await reader.commit(read.at(-1)?.next ?? 0)
    await Promise.all([reader.close(), writer.close()])

    const copy = join(staging, 'records.sqlite')
    const stretches = await copyRecords(pinned.records, copy)
    pinned.records.close()
    records.close()
    assert.ok(stretches.every(({ bytes }) => bytes > 0))
    const facts = recordsFacts(copy)
    assert.deepEqual(facts.counts, { issue: 1, pipeline_state: 1, schema_migration: 1 })
    assert.deepEqual(facts.schema, ['0001-first'])

    // What was copied is a log of its own, and begins with what was not processed.
    const log = join(dir, 'log-again')
    mkdirSync(log)
    for (const { path, source, bytes } of pinned.files.filter((file) => file.path.startsWith('log/')))
      writeFileSync(join(dir, path.replace('log/', 'log-again/')), readFileSync(source).subarray(0, bytes))
    await (await openLogWriter({ dir: log, logger })).close()
    const again = await openLogReader({ dir: log, logger })
    const found = await again.read(position, { maxRecords: 10, maxBytes: 1e6 }, AbortSignal.timeout(5_000))
    await again.close()
    assert.deepEqual(
      found.map(({ bytes }) => String.fromCharCode(bytes[0] ?? 0)),
      ['c', 'd'],
    )
    assert.ok(pinned.logBytes > 0)
    const names = pinned.files.map(({ path }) => path)
    assert.ok(names.includes('telemetry/store/abc/T1/format_version.txt'))
    assert.ok(!names.some((name) => name.includes('all_1_1_0')), 'parts are frozen, not copied')
    assert.deepEqual(pinned.links, [{ path: 'telemetry/data/default/events', to: '../../store/abc/T1' }])
  })

  void test('parts are told apart by their checksums, and rows are counted by table', () => {
    const frozen = join(dir, 'frozen')
    const part = join(frozen, 'store', 'abc', 'T1', 'all_1_1_0')
    mkdirSync(part, { recursive: true })
    for (const [name, text] of [
      ['checksums.txt', 'x'],
      ['count.txt', '42'],
      ['data.bin', 'rows'],
    ] as const)
      writeFileSync(join(part, name), text)
    const links = [
      { path: 'telemetry/data/default/events', to: '../../store/abc/T1' },
      { path: 'telemetry/data/default/spans', to: '../../store/abc/T2' },
    ]
    const found = frozenParts(frozen, links)
    assert.deepEqual(found.rows, { events: 42, spans: 0 })
    assert.equal(found.files.length, 3)
    writeFileSync(join(part, 'checksums.txt'), 'y')
    const other = frozenParts(frozen, links)
    assert.ok(found.files.every(({ key }, at) => key !== other.files[at]?.key))
  })

  void test('a blob is linked, so that deleting it takes nothing from the backup', async () => {
    const blobs = openBlobs({ dir: join(dir, 'data', 'blobs') })
    await blobs.put('attachments/1', Buffer.from('one'))
    const place = { dir: join(dir, 'data', 'blobs'), staging: join(dir, 'staging', 'blobs') }
    const [file] = await linkBlobs(place, new Map())
    await blobs.delete('attachments/1')
    assert.equal(readFileSync(file?.source ?? '', 'utf8'), 'one')
    await blobs.put('attachments/2', Buffer.from('two'))
    const [known] = await linkBlobs(place, new Map())
    const same = { bytes: 0, sha256: '', entry: '', object: { pieces: [], bytes: 0 } }
    rmSync(known?.source ?? '')
    await linkBlobs(place, new Map([[known?.key ?? '', same]]))
    assert.equal(statSync(known?.source ?? '', { throwIfNoEntry: false }), undefined, 'it is known')
  })
})

void describe('restoring', () => {
  let dir = ''
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'sonde-restore-'))
  })
  after(() => rmSync(dir, { recursive: true, force: true }))

  const restore = async (into: string, schema: readonly string[], bytes = 0) => {
    const folder = join(dir, 'repository')
    const repository = openRepository({
      blobs: openBlobs({ dir: folder }),
      place: folder,
      key: undefined,
      clock: fixedClock(0),
    })
    const manifest: Manifest = {
      format: 1,
      id: 'x',
      version: '9.9.9',
      schema,
      counts: NONE,
      samples: {},
      files: [],
      links: [],
      folders: [],
      objects: [],
    }
    const text = join(dir, 'manifest')
    writeFileSync(text, JSON.stringify(manifest))
    const pieces = await repository.put(Readable.from([readFileSync(text)], { objectMode: false }))
    const summary = summaryOf('x', 0, { manifest: pieces, pieces, bytes })
    const secretFile = join(into, 'secret.key')
    return restoreBackup({ repository, summary, dataDir: into, secretFile, retentionDays: 1, logger })
  }

  void test('refuses a folder that has something, a later version, and a disk that is too small', async () => {
    const full = join(dir, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'records.sqlite'), '')
    await assert.rejects(
      restore(full, []),
      refusal('conflict', /full is not empty: records\.sqlite is there/),
    )
    const empty = join(dir, 'empty')
    await assert.rejects(
      restore(empty, ['9999-of-the-future']),
      refusal('conflict', /later version of Sonde \(9\.9\.9\)/),
    )
    await assert.rejects(restore(empty, [], 1e18), refusal('unavailable', /are needed/))
    refuseUnfinishedRestore(empty)
  })

  void test('leaves a folder in which nothing starts when it does not come to its end', async () => {
    const half = join(dir, 'half')
    // Without the file of the records.
    await assert.rejects(restore(half, []))
    assert.throws(() => refuseUnfinishedRestore(half), /was interrupted or failed \(x\)/)
    await assert.rejects(restore(half, []), refusal('conflict', /a restore into .* was interrupted/))
    const other = join(dir, 'other')
    mkdirSync(other)
    writeMarker(other, { id: 'y', from: 'there' })
    assert.throws(() => refuseUnfinishedRestore(other), /\(y\)/)
  })

  void test('a path of a backup leads nowhere else', () => {
    const evil = (path: string): string =>
      JSON.stringify({ format: 1, files: [{ path }], objects: [], links: [], folders: [], schema: [] })
    for (const path of ['../x', '/etc/x', 'a/../../x', '', 'a//b'])
      assert.throws(() => readManifest(evil(path)), /cannot be read/, path)
    assert.equal(readManifest(evil('a/b')).files.length, 1)
  })
})

void test('what a policy keeps: the newest of days, weeks and months, and never nothing', () => {
  const day = 86_400_000
  const summaries = Array.from({ length: 100 }, (_, at) => summaryOf(String(at), at * day + 1))
  const kept = (policy: Parameters<typeof keptBy>[0]) =>
    [...keptBy(policy, summaries)].map(Number).sort((a, b) => b - a)
  assert.deepEqual(kept({}), [99])
  assert.deepEqual(kept({ last: 3 }), [99, 98, 97])
  assert.deepEqual(kept({ daily: 2, weekly: 3 }), [99, 98, 94, 87])
  assert.deepEqual(kept({ monthly: 3 }), [99, 89, 58])
  const twice = [summaryOf('a', 5), summaryOf('b', 6), summaryOf('c', day + 1)]
  assert.deepEqual([...keptBy({ daily: 5 }, twice)].sort(), ['b', 'c'])
})

const appendAll = async (writer: LogWriter, texts: readonly string[]): Promise<void> => {
  for (const text of texts) await writer.append(Buffer.from(text.repeat(800)))
}

const summaryOf = (id: string, createdMs: number, more: Partial<BackupSummary> = {}): BackupSummary => ({
  format: 1,
  id,
  createdMs,
  version: '0',
  recipients: [],
  bytes: 0,
  storedBytes: 0,
  newBytes: 0,
  tookMs: 0,
  pausedMs: 0,
  counts: NONE,
  manifest: [],
  pieces: [],
  ...more,
})

const refusal =
  (kind: string, message: RegExp) =>
  (error: SondeError): boolean => {
    assert.match(error.message, message)
    assert.equal(error.kind, kind)
    return true
  }
