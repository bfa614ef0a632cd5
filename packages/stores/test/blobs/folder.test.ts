import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SondeError } from '@sonde/base'
import { testBlobs } from '../../src/blobs/conformance.ts'
import { openBlobs } from '../../src/blobs/folder-blobs.ts'
import { sweepBlobs } from '../../src/blobs/sweep-blobs.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const dir = join(temporaryFolder(), 'blobs')
testBlobs('folder', () => Promise.resolve(openBlobs({ dir })))

test('what a crash left unfinished is never listed, and is removed by the sweep of the process that writes', async () => {
  const folder = join(temporaryFolder(), 'blobs')
  await sweepBlobs({ dir: folder })
  const blobs = openBlobs({ dir: folder })
  writeFileSync(join(folder, '.unfinished', '1-1'), 'half')
  const listed: string[] = []
  for await (const blob of blobs.list('')) listed.push(blob.name)
  assert.deepEqual(listed, [])
  await sweepBlobs({ dir: folder })
  assert.deepEqual(readdirSync(join(folder, '.unfinished')), [])
})

test('opening them touches nothing: what another process is writing stays, and no folder is made', async () => {
  const folder = join(temporaryFolder(), 'blobs')
  const blobs = openBlobs({ dir: folder })
  assert.equal(await blobs.get('dead/1'), undefined)
  assert.equal(existsSync(folder), false)
  await sweepBlobs({ dir: folder })
  const writing = join(folder, '.unfinished', 'of-another-process')
  writeFileSync(writing, 'half')
  await openBlobs({ dir: folder }).put('dead/1', Buffer.from('x'))
  assert.equal(readFileSync(writing, 'utf8'), 'half')
})

test('a folder that cannot be made is refused with the next step', async () => {
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  await assert.rejects(
    sweepBlobs({ dir: join(blocked, 'blobs') }),
    (error) => error instanceof SondeError && error.kind === 'unavailable' && error.hint !== undefined,
  )
})
