import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sourceFacts } from '../../src/routes/[org]/traces/[trace]/load-span.server.ts'

const PLACE = { ok: true, source: 'src/a.ts', line: 8, column: 1, isInApp: true } as const

it('a span of a script says where it was written, or why nobody knows', () => {
  const named = { ...PLACE, functionName: 'sum' }
  assert.deepEqual(sourceFacts({ place: named, unreadable: undefined }), { source: 'src/a.ts:8 sum' })
  assert.deepEqual(sourceFacts({ place: PLACE, unreadable: undefined }), { source: 'src/a.ts:8' })
  assert.deepEqual(sourceFacts({ place: undefined, unreadable: undefined }), {})
  const unreadable = { problem: 'no_map', detail: undefined, release: 'shop@1' } as const
  const { source } = sourceFacts({ place: undefined, unreadable })
  assert.match(source ?? '', /^unknown: The script was uploaded without its source map \(release shop@1\)\./)
})
