import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fixedClock, type SondeError } from '@sonde/base'
import { openBlobs } from '@sonde/stores'
import { type BackupKey, makeBackupKey, readBackupKey } from '../../src/backup/backup-key.ts'
import { type BackupSummary, type Manifest, type Piece, readManifest } from '../../src/backup/manifest.ts'
import { findBackup } from '../../src/backup/open-target.ts'
import {
  BY_CONTENT,
  knownFiles,
  packFiles,
  type SourceFile,
  wholeObjects,
} from '../../src/backup/pack-files.ts'
import { openRepository, pieceName } from '../../src/backup/repository.ts'
import { unpackFiles } from '../../src/backup/unpack-files.ts'

void describe('the repository of backups', () => {
  let dir = ''
  let key: BackupKey | undefined
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sonde-backup-'))
    await makeBackupKey(join(dir, 'key'), new Date(0))
    key = await readBackupKey(join(dir, 'key'))
  })
  after(() => rmSync(dir, { recursive: true, force: true }))

  let count = 0
  const fresh = (): string => {
    const made = join(dir, `case-${count++}`)
    mkdirSync(made)
    return made
  }
  const repositoryIn = (folder: string, more: { key?: BackupKey | undefined; nowMs?: number } = {}) =>
    openRepository({
      blobs: openBlobs({ dir: folder }),
      place: folder,
      key: more.key,
      clock: fixedClock(more.nowMs ?? 0),
      pieceBytes: 100_000,
    })
  const write = (folder: string, path: string, content: Buffer): SourceFile => {
    writeFileSync(join(folder, path), content)
    return { path, source: join(folder, path), at: 0, bytes: content.length }
  }
  const manifestOf = (packed: Pick<Manifest, 'files' | 'objects'>): Manifest => ({
    ...packed,
    format: 1,
    id: 'x',
    version: '0',
    schema: [],
    counts: NONE,
    samples: {},
    links: [],
    folders: [],
  })

  for (const isEncrypted of [false, true])
    void test(`files come back as they were, ${isEncrypted ? 'encrypted' : 'in the clear'}`, async () => {
      const [from, to, folder] = [fresh(), fresh(), fresh()]
      const repository = repositoryIn(folder, { key: isEncrypted ? key : undefined })
      const large = randomBytes(350_000)
      const two = Buffer.concat([large.subarray(0, 5_000), large.subarray(0, 5_000)])
      const files = [
        write(from, 'a', Buffer.from('some text that nobody may read')),
        write(from, 'empty', Buffer.alloc(0)),
        write(from, 'large', large),
        { ...write(from, 'two', two), bytes: 5_000, key: BY_CONTENT },
        { ...write(from, 'two', two), at: 5_000, bytes: 5_000, key: BY_CONTENT },
      ]
      const packed = await packFiles({ repository, files, known: new Map(), packBytes: 200_000 })
      const pieces = packed.objects.flatMap((object) => object.pieces)
      assert.ok(pieces.length > packed.objects.length, 'a large object has several pieces')
      for (const piece of pieces) {
        await repository.check(piece)
        const stored = readFileSync(join(folder, pieceName(piece[0])))
        assert.equal(createHash('sha256').update(stored).digest('hex'), piece[0])
        assert.equal(
          stored.subarray(0, 11).toString() === 'age-encrypt',
          isEncrypted && isFirst(packed, piece),
        )
      }
      await unpackFiles(repository, manifestOf(packed), { dir: to, isEncrypted, onBytes: () => undefined })
      for (const name of ['a', 'empty', 'large', 'two'])
        assert.ok(readFileSync(join(to, name)).equals(readFileSync(join(from, name))), name)
      assert.equal(statSync(join(to, 'a')).mode & 0o077, 0)
    })

  void test('what a backup has is not written again, and what nobody needs of an object leaves it in time', async () => {
    const [from, folder] = [fresh(), fresh()]
    const repository = repositoryIn(folder, { key })
    const keyed = (path: string) => ({ ...write(from, path, randomBytes(10_000)), key: `part:${path}` })
    const [a, b, c] = [keyed('a'), keyed('b'), keyed('c')]
    const first = await packFiles({ repository, files: [a, b, c], known: new Map() })
    assert.equal(first.objects.length, 1)
    const written = repository.written()
    rmSync(a.source)
    const second = await packFiles({ repository, files: [a, b], known: knownFiles(first) })
    assert.equal(repository.written(), written, 'not even read: it is gone')
    assert.deepEqual(second.objects, first.objects)
    const third = await packFiles({ repository, files: [b], known: knownFiles(second) })
    assert.deepEqual(third.objects, first.objects, 'two of three were needed before')
    await packFiles({ repository, files: [b], known: knownFiles(third) })
    assert.ok(repository.written() > written, 'one of three was: it is written anew')
  })

  void test('after something was erased only objects are taken over of which every byte stays', async () => {
    const [from, folder] = [fresh(), fresh()]
    const repository = repositoryIn(folder, { key })
    const keyed = (path: string) => ({ ...write(from, path, randomBytes(10_000)), key: `part:${path}` })
    const [a, b, c] = [keyed('a'), keyed('b'), { ...write(from, 'c', randomBytes(10_000)), key: BY_CONTENT }]
    // Two objects: a and b in one, c in another.
    const first = await packFiles({ repository, files: [a, b, c], known: new Map(), packBytes: 20_000 })
    assert.equal(first.objects.length, 2)
    const known = knownFiles(first)
    assert.equal((await wholeObjects(known, [a, b, c])).size, 3)
    const left = await wholeObjects(known, [b, c])
    const after = await packFiles({ repository, files: [b, c], known: left })
    const pieces = new Set(after.objects.flatMap((object) => object.pieces.map(([sha256]) => sha256)))
    assert.ok(
      first.objects[0]?.pieces.every(([sha256]) => !pieces.has(sha256)),
      'a was beside b: b is written anew',
    )
    assert.ok(
      first.objects[1]?.pieces.every(([sha256]) => pieces.has(sha256)),
      'c is taken over',
    )
    // What was dead before, beside what is needed, is not taken over either.
    const dead = knownFiles(await packFiles({ repository, files: [b, c], known }))
    assert.deepEqual(
      [...(await wholeObjects(dead, [b, c])).values()].map(({ entry }) => entry),
      ['c'],
    )
  })

  void test('a flipped bit, a missing piece and a wrong key are said in words', async () => {
    const [from, to, folder] = [fresh(), fresh(), fresh()]
    const repository = repositoryIn(folder, { key })
    const packed = await packFiles({
      repository,
      files: [write(from, 'a', randomBytes(50_000))],
      known: new Map(),
    })
    const [piece] = packed.objects[0]?.pieces ?? []
    assert.ok(piece)
    const unpack = (opened: ReturnType<typeof repositoryIn>) =>
      unpackFiles(opened, manifestOf(packed), { dir: to, isEncrypted: true, onBytes: () => undefined })
    await makeBackupKey(join(dir, 'other'), new Date(0))
    const other = await readBackupKey(join(dir, 'other'))
    await assert.rejects(unpack(repositoryIn(folder, { key: other })), kind('forbidden', /does not open/))
    await assert.rejects(unpack(repositoryIn(folder)), kind('forbidden', /does not open/))
    const path = join(folder, pieceName(piece[0]))
    const bytes = readFileSync(path)
    bytes[30_000] = (bytes[30_000] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const named = new RegExp(`${piece[0]}.*its checksum is another`)
    await assert.rejects(repository.check(piece), kind('conflict', named))
    await assert.rejects(unpack(repository), kind('conflict', named))
    rmSync(path)
    await assert.rejects(unpack(repository), kind('conflict', /it is missing/))
  })

  void test('a backup is there once it was added; what no backup has is collected', async () => {
    const [from, folder] = [fresh(), fresh()]
    const repository = repositoryIn(folder)
    const [one, two] = await Promise.all(
      ['1', '2'].map(async (id) => {
        const { objects } = await packFiles({
          repository,
          files: [write(from, id, randomBytes(1_000))],
          known: new Map(),
        })
        return summaryOf(id, objects[0]?.pieces ?? [])
      }),
    )
    assert.ok(one && two)
    assert.deepEqual(await repository.list(), [], 'objects alone are no backup')
    await repository.add(one)
    await repository.add(two)
    assert.deepEqual(
      (await repository.list()).map(({ id }) => id),
      ['1', '2'],
    )
    await repository.remove('1')
    const collected = await repository.locked('prune', () => repository.collect())
    assert.equal(collected.pieces, 1)
    for (const piece of two.pieces) await repository.check(piece)
    writeFileSync(join(folder, 'backups', '3.json'), '{"format":2}')
    await assert.rejects(repository.collect(), kind('conflict', /backup 3 .*cannot be read/))
  })

  void test('a backup of a later form is refused in words, and no earlier one is taken instead unless it is named', async () => {
    const folder = fresh()
    const repository = repositoryIn(folder)
    await assert.rejects(findBackup(repository, undefined), kind('not-found', /there is no backup in/))
    await repository.add(summaryOf('1', []))
    writeFileSync(join(folder, 'backups', '2.json'), '{"format":2,"id":"2"}')
    for (const id of [undefined, '2'])
      await assert.rejects(
        findBackup(repository, id),
        kind('conflict', /a later version of Sonde made the backup 2 in /),
      )
    assert.equal((await findBackup(repository, '1')).id, '1')
    writeFileSync(join(folder, 'backups', '2.json'), '{"format":1')
    await assert.rejects(
      findBackup(repository, undefined),
      kind('conflict', /backups\/2\.json in .* is damaged/),
    )
    assert.throws(() => readManifest('{"format":2}'), kind('conflict', /a later version of Sonde made/))
  })

  void test('one at a time works in a repository, and a lock of the dead ends by itself', async () => {
    const folder = fresh()
    const repository = repositoryIn(folder)
    await repository.locked('back up', async () => {
      await assert.rejects(
        repository.locked('prune', async () => undefined),
        kind('conflict', /in use: back up/),
      )
    })
    const lock = { what: 'back up', atMs: 0, host: 'another-machine', pid: 1 }
    writeFileSync(join(folder, 'locks', 'of-the-dead'), JSON.stringify(lock))
    await assert.rejects(
      repository.locked('prune', async () => undefined),
      kind('conflict', /in use/),
    )
    const later = repositoryIn(folder, { nowMs: 121_000 })
    assert.equal(await later.locked('prune', async () => 'done'), 'done')
    const gone = spawnSync(process.execPath, ['--version']).pid
    writeFileSync(join(folder, 'locks', 'here'), JSON.stringify({ ...lock, host: hostname(), pid: gone }))
    assert.equal(await repository.locked('prune', async () => 'at once'), 'at once')
    assert.deepEqual(readdirSync(join(folder, 'locks')), [])
  })

  void test('a key file holds age keys, and a secret one is for its user alone', async () => {
    const file = join(fresh(), 'key')
    const recipient = await makeBackupKey(file, new Date(0))
    assert.deepEqual((await readBackupKey(file)).recipients, [recipient])
    await assert.rejects(makeBackupKey(file, new Date(0)), kind('config', /cannot be written/))
    chmodSync(file, 0o644)
    await assert.rejects(readBackupKey(file), kind('config', /other users/))
    writeFileSync(file, `# for this machine\n${recipient}\n`)
    assert.deepEqual(await readBackupKey(file), { recipients: [recipient], identities: [] })
    writeFileSync(file, 'hunter2\n')
    await assert.rejects(readBackupKey(file), kind('config', /something else than age keys/))
    await assert.rejects(readBackupKey(join(dir, 'none')), kind('config', /no such file/))
  })
})

const isFirst = ({ objects }: Pick<Manifest, 'objects'>, piece: Piece): boolean =>
  objects.some(({ pieces }) => pieces[0] === piece)

const NONE = { records: {}, telemetry: {}, blobs: 0, logBytes: 0 }
const summaryOf = (id: string, pieces: readonly Piece[]): BackupSummary => ({
  format: 1,
  id,
  createdMs: 0,
  version: '0',
  recipients: [],
  bytes: 0,
  storedBytes: 0,
  newBytes: 0,
  tookMs: 0,
  pausedMs: 0,
  counts: NONE,
  manifest: [],
  pieces,
})

const kind =
  (expected: string, message: RegExp) =>
  (error: SondeError): boolean => {
    assert.match(error.message, message)
    assert.equal(error.kind, expected)
    return true
  }
