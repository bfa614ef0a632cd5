/** Any sequence of appends, reads, commits and restarts reads back what was appended, once and in order. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type OpenLog, readCount } from '../src/conformance.ts'

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      sizes: fc.array(fc.nat(900), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)

/** To be given to fast-check. The log that `open` returns is empty; `variant` differs from run to run. */
export const logModel = (open: (variant: number) => Promise<OpenLog>) =>
  fc.asyncProperty(
    fc.array(step, { maxLength: 30 }),
    fc.integer({ min: 100, max: 3000 }),
    async (steps, variant) => {
      let log = await open(variant)
      const appended: Buffer[] = []
      // What a consumer with its own memory knows: how many it has, and where it goes on.
      let consumed = 0
      let committed = 0
      let position = 0
      const consume = async (count: number): Promise<void> => {
        const records = await readCount(log.reader, position, count)
        for (const record of records) assert.deepEqual(Buffer.from(record.bytes), appended[consumed++])
        position = records.at(-1)?.next ?? position
      }
      for (const next of steps) {
        if (next.kind === 'append') {
          const bodies = next.sizes.map((size) => Buffer.alloc(size, appended.length % 256))
          appended.push(...bodies)
          await Promise.all(bodies.map((body) => log.writer.append(body)))
        } else if (next.kind === 'read') {
          await consume(Math.min(next.count, appended.length - consumed))
        } else if (next.kind === 'commit') {
          await log.reader.commit(position)
          committed = consumed
        } else {
          log = await log.reopen()
          consumed = committed
          position = await log.reader.committed()
        }
      }
      await consume(appended.length - consumed)
      await log.reader.commit(position)
      assert.deepEqual(await log.reader.depth(), { bytes: 0, oldestMs: undefined })
      await log.dispose()
    },
  )
