import assert from 'node:assert/strict'
import { type Found, runTarget } from './engine/run-target.ts'

/**
 * The same code gives the same result: the seed is fixed unless `SONDE_TEST_SEED` names another. What is found is kept below
 * `fixtures/fuzz/`, where the next run begins with it.
 */
export async function assertNothingFound(target: string, endMs: number): Promise<void> {
  const seed = Number(process.env['SONDE_TEST_SEED'] ?? 1)
  const { inputs, finds } = await runTarget({ target, seed, endMs })
  process.stdout.write(`# ${target}: seed ${seed}, ${inputs} inputs\n`)
  const texts = finds.map((found) => textOf(target, found))
  assert.deepEqual(texts, [], `seed ${seed}; see docs/internals/fuzzing.md`)
  assert.ok(inputs > 0, 'not even the seeds were run')
}

/** The folder may be gone with the machine that ran the tests: the input is in the text. */
const textOf = (target: string, { detail, path, packed }: Found): string =>
  `${path}:\n${detail}\nnpm run fuzz ${target} -- --packed ${packed}`
