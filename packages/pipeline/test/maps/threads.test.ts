/** Files that a thread does not come back from, and stores that take their time: no event is to blame for either. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { encodeIntakeRecord, type LogRecord } from '@sonde/log'
import { ROW_COLUMNS } from '@sonde/stores'
import type { ProcessedRecord } from '../../src/process/processed.ts'
import { type PoolFiles, startWorkerPool } from '../../src/process/worker-pool.ts'
import { debugId, type FileHarness, imageOf, openFileHarness } from './file-harness.ts'

const URL = 'https://shop.test/assets/app.js'
const POISON = new globalThis.URL('./poison-maps-worker.ts', import.meta.url)
const MAP = {
  version: 3,
  sources: ['src/a.ts'],
  sourcesContent: ['const a = 1'],
  names: [],
  mappings: 'AAAA',
}
let harness: FileHarness

function recordsOf(ids: readonly string[], projectId: number): LogRecord[] {
  return ids.map((id, at) => {
    const event_id = at.toString(16).padStart(32, '0')
    const stacktrace = { frames: [{ filename: URL, lineno: 1, colno: 1, in_app: true }] }
    const event = { platform: 'javascript', exception: [{ type: 'E', stacktrace }], ...imageOf(URL, id) }
    const body = `{"event_id":"${event_id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`
    const meta = { v: 1, kind: 'envelope', receivedMs: 1_790_000_000_000, projectId, keyId: 4 } as const
    return { position: at * 100, next: at * 100 + 100, bytes: encodeIntakeRecord(meta, Buffer.from(body)) }
  })
}

const map = (id: string, content: string) =>
  ({ type: 'source_map', url: '~/assets/app.js.map', content, debugId: id }) as const

/** The column of each event's row; `issue_id` is not in the row yet. */
const UNREADABLE = ROW_COLUMNS.events.indexOf('unreadable')
const unreadable = (processed: readonly ProcessedRecord[]): (string | undefined)[] =>
  processed.flatMap(({ events }) =>
    events.map(({ row }) => Buffer.from(row).toString().trimEnd().split('\t')[UNREADABLE - 1]),
  )

describe('a thread', () => {
  before(async () => {
    harness = await openFileHarness()
  })
  after(() => harness.close())

  for (const [how, reason, recordTimeoutMs] of [
    ['hangs', 'broken_map', 700],
    ['crashes', 'too_large', 20_000],
  ] as const) {
    it(`that a map ${how} costs nobody an event: the map is refused, the rest is read`, async () => {
      const [good, bad] = [debugId(how === 'hangs' ? '1' : '2'), debugId(how === 'hangs' ? '3' : '4')]
      await harness.upload([map(good, JSON.stringify(MAP))])
      await harness.upload([map(bad, `// this map ${how}`)])
      const files = harness.shared
      const pool = startWorkerPool({ threads: 1, entry: POISON, recordTimeoutMs }, { logger, files })
      const processed = await pool.process(recordsOf([good, bad, good, bad], harness.projectId))
      assert.deepEqual(unreadable(processed), ['', reason, '', reason])
      assert.deepEqual(
        processed.flatMap(({ dead }) => dead),
        [],
      )
      // Once may have been chance.
      assert.ok(pool.failures() >= 2)
      await pool.close()
    })
  }

  it('that waits for a store is not taken for one that hangs', async () => {
    const id = debugId('5')
    await harness.upload([map(id, JSON.stringify(MAP))])
    const limitMs = 1500
    const { source } = harness.shared
    const slow: PoolFiles = {
      ...harness.shared,
      source: {
        ...source,
        async read(file) {
          const untilMs = performance.now() + limitMs * 2
          // The limit is one of time: it has to pass.
          while (performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 50))
          return await source.read(file)
        },
      },
    }
    const pool = startWorkerPool({ threads: 1, recordTimeoutMs: limitMs }, { logger, files: slow })
    assert.deepEqual(unreadable(await pool.process(recordsOf([id], harness.projectId))), [''])
    assert.equal(pool.failures(), 0)
    await pool.close()
  })

  it('keeps what there is room for, and reads again what there is none for', async () => {
    const ids = [debugId('6'), debugId('7')]
    for (const id of ids) await harness.upload([map(id, JSON.stringify(MAP))])
    let reads = 0
    const { source } = harness.shared
    const counted: PoolFiles = {
      ...harness.shared,
      source: {
        ...source,
        read(file) {
          reads++
          return source.read(file)
        },
      },
    }
    const readsWith = async (mapCacheBytes: number): Promise<number> => {
      reads = 0
      const pool = startWorkerPool({ threads: 1, mapCacheBytes }, { logger, files: counted })
      const order = [...ids, ...ids, ...ids]
      const processed = await pool.process(recordsOf(order, harness.projectId))
      assert.deepEqual(
        unreadable(processed),
        order.map(() => ''),
      )
      await pool.close()
      return reads
    }
    assert.equal(await readsWith(1_000_000), 2)
    assert.equal(await readsWith(1), 6)
  })
})
