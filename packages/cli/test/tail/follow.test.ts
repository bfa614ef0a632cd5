import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SondeError } from '@sonde/base/errors'
import fc from 'fast-check'
import { follow, type TailAnswer } from '../../src/tail/follow.ts'

const down = () => new SondeError('unavailable', 'connection refused', { operation: 'call Sonde' })

/** A log whose positions are cursors, of which a question reads at most `most` rows; it fails when `fails` says so. */
function server(rows: readonly number[], most: number, fails: (question: number) => boolean) {
  let questions = 0
  return async (cursor: string | undefined): Promise<TailAnswer<number>> => {
    if (cursor !== undefined && fails(questions++)) throw down()
    const from = Number(cursor ?? 0)
    const data = cursor === undefined ? [] : rows.slice(from, from + most)
    return { data, cursor: String(from + data.length), hasMore: from + data.length < rows.length }
  }
}

test('whatever fails in between, each row is told once and in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.boolean(), { maxLength: 10 }),
      async (count, most, failures) => {
        const rows = Array.from({ length: count }, (_, at) => at)
        const stopping = new AbortController()
        const told: number[] = []
        const troubles: boolean[] = []
        await follow({
          ask: server(rows, most, (question) => failures[question] ?? false),
          tell(data) {
            told.push(...data)
            if (told.length === rows.length) stopping.abort()
          },
          onTrouble: (error) => troubles.push(error !== undefined),
          everyMs: 0,
          signal: stopping.signal,
        })
        assert.deepEqual(told, rows)
        // Said once when it begins, once when it is over.
        troubles.forEach((isTrouble, at) => assert.equal(isTrouble, at % 2 === 0))
      },
    ),
    { numRuns: 50 },
  )
})

test('what does not pass ends it: a first question that is not answered, a login that is over', async () => {
  const options = { tell() {}, onTrouble() {}, everyMs: 0, signal: new AbortController().signal }
  await assert.rejects(follow({ ...options, ask: () => Promise.reject(down()) }), /connection refused/)
  const over = new SondeError('forbidden', 'the login is over', { operation: 'call Sonde' })
  const ask = (cursor: string | undefined) =>
    cursor === undefined ? Promise.resolve({ data: [], cursor: '1', hasMore: false }) : Promise.reject(over)
  await assert.rejects(follow({ ...options, ask }), /the login is over/)
})
