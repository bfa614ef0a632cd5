/** What arrives, on the real engine: whatever the order and the partitions, each row comes once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formatTailCursor, parseTailCursor, SearchError, type TailCursor, tailRows } from '@sonde/queries'
import fc from 'fast-check'
import { MINUTE_MS, NOW_MS, openHarness, type Harness, type OrgGrant, type ProjectGrant } from '../harness.ts'

let harness: Harness
let org: OrgGrant
let shop: ProjectGrant
let foreign: ProjectGrant

type Line = {
  readonly partition?: number
  readonly position: number
  readonly item?: number
  readonly row?: number
  readonly revision?: number
  readonly body: string
  readonly agoMs?: number
  readonly receivedMs?: number
  readonly severity?: string
}

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
async function put(projectId: number, lines: readonly Line[]): Promise<void> {
  const rows = lines.map(({ body, severity = 'info', ...line }) => ({
    project_id: projectId,
    sample_rate: 1,
    severity,
    body,
    timestamp: timeText(NOW_MS - (line.agoMs ?? MINUTE_MS)),
    received: timeText(line.receivedMs ?? NOW_MS),
    log_partition: line.partition ?? 0,
    log_position: line.position,
    item_index: line.item ?? 0,
    row_index: line.row ?? 0,
    revision: line.revision ?? 0,
  }))
  const text = rows.map((row) => JSON.stringify(row)).join('\n')
  await harness.telemetry.command(`INSERT INTO logs FORMAT JSONEachRow ${text}`)
}

/** What one more question tells, with the cursor as text in between, as clients keep it. */
const ask = async (
  cursor: TailCursor | undefined,
  more: object = {},
  grant: ProjectGrant | OrgGrant = shop,
) => {
  const kept = cursor && parseTailCursor(formatTailCursor(cursor))
  return tailRows(harness.deps, grant, { dataset: 'ourlogs', cursor: kept, ...more })
}
const texts = ({ rows }: Awaited<ReturnType<typeof tailRows>>) => rows.map(({ message }) => message)

describe('what arrives', () => {
  before(async () => {
    harness = await openHarness()
    org = await harness.org('acme')
    shop = await harness.project(org, 'shop')
    foreign = await harness.project(await harness.org('globex'), 'foreign')
  })
  after(() => harness?.close())

  it('begins now, behind the last rows, and goes on behind the cursor', async () => {
    await put(
      shop.projectId,
      [1, 2, 3].map((position) => ({ position, body: `old ${position}` })),
    )
    const first = await ask(undefined, { before: 2 })
    assert.deepEqual(texts(first), ['old 2', 'old 3'])
    assert.deepEqual(texts(await ask(first.cursor)), [])
    await put(shop.projectId, [
      // Of the same record, and written long before it came.
      { position: 4, item: 1, row: 0, body: 'late', agoMs: 20 * 60 * MINUTE_MS },
      { position: 4, item: 1, row: 1, body: 'late too', severity: 'error' },
      { partition: 3, position: 1, body: 'of another partition' },
    ])
    await put(foreign.projectId, [{ position: 5, body: 'secret' }])
    const second = await ask(first.cursor)
    assert.deepEqual(texts(second), ['late', 'late too', 'of another partition'])
    assert.deepEqual(texts(await ask(second.cursor)), [])
    assert.deepEqual(texts(await ask(first.cursor, { query: 'severity:error' })), ['late too'])
    assert.deepEqual(texts(await ask(first.cursor, {}, org)), texts(second))
    assert.deepEqual(texts(await ask(first.cursor, { projectIds: [foreign.projectId] }, org)), [])
  })

  it('tells a row that is replaced once, whether its former is still there or not', async () => {
    const { cursor } = await ask(undefined)
    await put(shop.projectId, [
      { position: 10, body: 'before scrubbing' },
      { position: 10, revision: 1, body: 'scrubbed' },
    ])
    const next = await ask(cursor)
    assert.equal(next.rows.length, 1)
    await put(shop.projectId, [{ position: 10, revision: 2, body: 'scrubbed again' }])
    assert.deepEqual(texts(await ask(next.cursor)), [])
  })

  it('comes in pieces when there is more than one answer holds, and nothing is lost between them', async () => {
    let { cursor } = await ask(undefined)
    const lines = Array.from({ length: 450 }, (_, row) => ({ position: 20, row, body: `line ${row}` }))
    await put(shop.projectId, lines)
    const seen: string[] = []
    for (let hasMore = true; hasMore;) {
      const next = await ask(cursor)
      seen.push(...texts(next))
      ;({ cursor, hasMore } = next)
    }
    assert.deepEqual(
      seen,
      lines.map(({ body }) => body),
    )
  })

  it('loses and doubles nothing, however batches of partitions come between the questions', async () => {
    const positions = new Map<number, number>()
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(
            fc.record({ partition: fc.integer({ min: 4, max: 7 }), rows: fc.integer({ min: 1, max: 5 }) }),
            {
              maxLength: 4,
            },
          ),
          { minLength: 1, maxLength: 5 },
        ),
        async (rounds) => {
          let { cursor } = await ask(undefined)
          const [put1, seen]: [string[], string[]] = [[], []]
          for (const batches of rounds) {
            for (const { partition, rows } of batches) {
              const position = (positions.get(partition) ?? 100) + 1
              positions.set(partition, position)
              const lines = Array.from({ length: rows }, (_, row) => ({
                partition,
                position,
                row,
                body: `row ${++count}`,
              }))
              put1.push(...lines.map(({ body }) => body))
              await put(shop.projectId, lines)
            }
            const next = await ask(cursor)
            seen.push(...texts(next))
            ;({ cursor } = next)
          }
          assert.deepEqual(seen.toSorted(), put1.toSorted())
        },
      ),
      { numRuns: 10 },
    )
  })

  it('of events refuses a search for what only issues have', async () => {
    await assert.rejects(
      tailRows(harness.deps, shop, { dataset: 'errors', query: 'is:unresolved' }),
      SearchError,
    )
  })

  it('takes no cursor that it did not give', () => {
    for (const text of ['', 'x', '1;2', '1;2-3-4', '1;-1-2-3-4', `1;${'9'.repeat(5)}-${'9'.repeat(17)}-0-0`])
      assert.throws(() => parseTailCursor(text), SearchError, text)
  })
})
