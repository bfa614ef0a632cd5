import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { runTarget } from './engine/run-target.ts'

/** Prints the seed. What is found is kept below `fixtures/fuzz/`, where the next run begins with it. */
export async function assertNothingFound(target: string, seconds: number): Promise<void> {
  const seed = randomInt(2 ** 31)
  const { inputs, finds } = await runTarget({ target, seed, endMs: Date.now() + seconds * 1_000 })
  process.stdout.write(`# ${target}: seed ${seed}, ${inputs} inputs\n`)
  const texts = finds.map(({ detail, path }) => `${path}:\n${detail}`)
  assert.deepEqual(texts, [], `seed ${seed}; see docs/internals/fuzzing.md`)
  assert.ok(inputs > 0, 'not even the seeds were run')
}
