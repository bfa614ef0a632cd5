import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decodeStoreBody } from '../../src/endpoints/store.ts'
import { Refusal } from '../../src/refusal.ts'
import { KEY, PROJECT } from '../support/keys.ts'
import { send } from '../support/send.ts'
import { startIngest } from '../support/start-ingest.ts'

const MIB = 1024 * 1024
// A few milliseconds here; what this is about takes minutes.
const BOUND_MS = 1_000

async function statusOf(body: string): Promise<number> {
  try {
    await decodeStoreBody(Buffer.from(body))
    return 200
  } catch (error) {
    if (error instanceof Refusal) return error.details.status
    throw error
  }
}

test('long runs of what base64 may hold are judged at once, whatever comes behind them', async () => {
  const runs = [' ', '=', 'a', 'a ', ' =', '\n\t', '= ']
  for (const run of runs) {
    const startedMs = performance.now()
    assert.equal(await statusOf(`a${run.repeat(MIB / run.length)}!`), 400)
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs < BOUND_MS, `${JSON.stringify(run)} took ${tookMs} ms`)
  }
})

test('a body of spaces neither holds up its own answer nor that of others', async (t) => {
  const server = await startIngest()
  t.after(() => server.close())
  const path = `/api/${PROJECT}/store/?sentry_key=${KEY}`
  const startedMs = performance.now()
  const refused = await send(server.port, path, { body: `a${' '.repeat(MIB)}!` })
  assert.equal(refused.status, 400)
  assert.ok(performance.now() - startedMs < BOUND_MS, `${performance.now() - startedMs} ms`)
})

// One expression says what is taken. It is no way to look at long bodies, but short ones show that nothing else is.
const BASE64 = /^[\w+/\s-]+={0,2}\s*$/

test('what is base64 is taken, everything else is refused', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'Z', '0', '_', '-', '+', '/', '=', '=', ' ', '\n', '!'),
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      assert.equal(await statusOf(body), BASE64.test(body) ? 200 : 400)
    }),
    { numRuns: 1_000 },
  )
})

test('the time to judge a body grows with its length, not with the square of it', async () => {
  const unit = fc.constantFrom('a', '+', '=', ' ', '\n', '!', '{', '"')
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit, maxLength: 5 }),
      fc.string({ unit, minLength: 1, maxLength: 3 }),
      unit,
      async (start, run, end) => {
        const startedMs = performance.now()
        await statusOf(`${start}${run.repeat(100_000)}${end}`)
        assert.ok(performance.now() - startedMs < BOUND_MS)
      },
    ),
    { numRuns: 50 },
  )
})
