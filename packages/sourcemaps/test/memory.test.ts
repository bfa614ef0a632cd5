/** Maps that are meant to fill the memory: what they take grows with their bytes and has an end. Each is read in a process. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { FAMILIES } from './peak-memory.ts'

const SCRIPT = join(import.meta.dirname, 'peak-memory.ts')
const MB = 1_000_000
/** What the engine takes beside: it collects late, and grows in steps. */
const SLACK_BYTES = 60 * MB
/** Measured, of 4 MB: up to 160 MB in all. */
const MOST_TIMES = 40
/** Measured: up to 500 MB, of ten million segments; of 200 MB up to 400. */
const MOST_BYTES = 900 * MB

type Told = { readonly said: string; readonly segments: number; readonly tookBytes: number }

async function read(family: string, size: number): Promise<Told> {
  // Threads that collect beside it get no turn on a busy machine, and it took 270 MB of what needs 160.
  const options = ['--single-threaded-gc', SCRIPT, family, String(size)]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout) as Told
}

describe('four megabytes of', { concurrency: 2 }, () => {
  for (const family of Object.keys(FAMILIES))
    it(family, async () => {
      const most = MOST_TIMES * 4 * MB + SLACK_BYTES
      // What is needed is needed each time; what the engine collects late, on a busy machine, is not.
      const took: number[] = []
      while (took.length < 3 && !took.some((bytes) => bytes < most))
        took.push((await read(family, 4 * MB)).tookBytes)
      assert.ok(Math.min(...took) < most, `${took.join(', ')} bytes`)
    })
})

describe('two hundred megabytes of', () => {
  const EXPECTED: Readonly<Record<string, string>> = {
    'the text of one source': 'read',
    'scopes within each other': 'too_large',
  }
  for (const [family, said] of Object.entries(EXPECTED))
    it(`${family}: ${said}`, async () => {
      const told = await read(family, 200 * MB)
      assert.equal(told.said, said)
      assert.ok(told.tookBytes < MOST_BYTES, `${told.tookBytes} bytes`)
    })
})

it('ten million segments are read', async () => {
  const told = await read('segments in one line', 50 * MB + 200)
  assert.equal(told.said, 'read')
  assert.ok(told.segments > 10 * MB, `${told.segments}`)
  assert.ok(told.tookBytes < MOST_BYTES, `${told.tookBytes} bytes`)
})
