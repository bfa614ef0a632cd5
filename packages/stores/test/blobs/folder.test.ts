import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SondeError } from '@sonde/base'
import { testBlobs } from '../../src/blobs/conformance.ts'
import { openBlobs } from '../../src/blobs/open-blobs.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const dir = join(temporaryFolder(), 'blobs')
testBlobs('folder', () => openBlobs({ dir }))

test('what a crash left unfinished is removed at the next start and never listed', async () => {
  const folder = join(temporaryFolder(), 'blobs')
  const blobs = await openBlobs({ dir: folder })
  writeFileSync(join(folder, '.unfinished', '1-1'), 'half')
  const listed: string[] = []
  for await (const blob of blobs.list('')) listed.push(blob.name)
  assert.deepEqual(listed, [])
  await openBlobs({ dir: folder })
  assert.deepEqual(readdirSync(join(folder, '.unfinished')), [])
})

test('a folder that cannot be made is refused with the next step', async () => {
  const blocked = join(temporaryFolder(), 'file')
  writeFileSync(blocked, '')
  await assert.rejects(
    openBlobs({ dir: join(blocked, 'blobs') }),
    (error) => error instanceof SondeError && error.kind === 'unavailable' && error.hint !== undefined,
  )
})
