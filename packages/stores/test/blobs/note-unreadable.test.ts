import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SondeError } from '@sonde/base'
import { testBlobs } from '../../src/blobs/conformance.ts'
import { openBlobs } from '../../src/blobs/folder-blobs.ts'
import { noteUnreadable } from '../../src/blobs/note-unreadable.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const opened = (dir = join(temporaryFolder(), 'blobs'), atMs = { now: 1_000 }) => ({
  dir,
  atMs,
  blobs: noteUnreadable(openBlobs({ dir }), { nowMs: () => atMs.now }),
})
const { dir } = opened()
testBlobs('folder that notes', () => Promise.resolve(opened(dir).blobs))

test('what readers miss is named, the newest first, until it is there again or a day went by', async () => {
  const { blobs, atMs } = opened()
  assert.equal(await blobs.get('a'), undefined)
  assert.deepEqual(blobs.unreadable?.(), [], 'that it is missing may be well')
  blobs.note?.('a', 'missing')
  atMs.now = 2_000
  blobs.note?.('b', 'damaged')
  const both = [
    { name: 'b', problem: 'damaged', foundMs: 2_000 },
    { name: 'a', problem: 'missing', foundMs: 1_000 },
  ]
  assert.deepEqual(blobs.unreadable?.(), both)
  await blobs.put('a', Buffer.from('x'))
  assert.deepEqual(blobs.unreadable?.(), both.slice(0, 1))
  atMs.now += 86_400_000
  assert.deepEqual(blobs.unreadable?.(), [])
})

test('what was deleted is not missing, also for who read its row before', async () => {
  const { blobs } = opened()
  await blobs.put('a', Buffer.from('x'))
  blobs.note?.('a', 'damaged')
  await blobs.delete('a')
  blobs.note?.('a', 'missing')
  assert.deepEqual(blobs.unreadable?.(), [])
})

test('a file that came back from a backup is forgotten when it is read', async () => {
  const { dir: folder, blobs } = opened()
  blobs.note?.('a', 'missing')
  await openBlobs({ dir: folder }).put('a', Buffer.from('x'))
  await (await blobs.open('a'))?.stream.cancel()
  assert.deepEqual(blobs.unreadable?.(), [])
})

test('a file under which the disk is broken is damaged, not away for a while', async (context) => {
  // Reading its first bytes is answered with EIO: https://man7.org/linux/man-pages/man5/proc_pid_mem.5.html
  const broken = '/proc/self/mem'
  if (!existsSync(broken)) return context.skip('needs a file that cannot be read (Linux)')
  const { dir: folder, blobs } = opened()
  mkdirSync(folder)
  symlinkSync(broken, join(folder, 'a'))
  await assert.rejects(
    blobs.get('a'),
    (error) => error instanceof SondeError && error.kind === 'internal' && error.hint !== undefined,
  )
  assert.deepEqual(
    blobs.unreadable?.().map(({ name, problem }) => [name, problem]),
    [['a', 'damaged']],
  )
  rmSync(join(folder, 'a'))
})
