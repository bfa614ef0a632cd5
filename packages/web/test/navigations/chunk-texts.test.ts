import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ChunkFailures } from '@sonde/queries'
import { shownChunks } from '../../src/routes/[org]/[project]/navigations/page.server.ts'

const FOUND = { build: 'shop@1', fileCount: 2 } as ChunkFailures
const unreadable = { problem: 'no_artifact', detail: undefined, release: 'shop@1' } as const
const known = { url: '/a.js', sources: ['src/a.ts'], unreadable: undefined, uploaded: undefined }
const unknown = { url: '/b.js', sources: [], unreadable, uploaded: undefined }

it('why nothing is known of the files is told when nothing is known of any', () => {
  assert.equal(shownChunks({ ...FOUND, files: [unknown, known] }).unread, undefined)
  assert.equal(shownChunks({ ...FOUND, files: [] }).unread, undefined)
  const { unread, files } = shownChunks({ ...FOUND, files: [unknown, unknown] })
  assert.match(unread?.sentence ?? '', /was uploaded \(release shop@1\)\.$/)
  assert.deepEqual(files[0], { url: '/b.js', sources: [], uploaded: undefined })
})
