/**
 * Suites that others wrote, run whole. What fails stands in `known-failures.json` with its reason, and the list can only
 * shrink: a case on it that passes is an error, and so is an entry that no case has.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

type KnownFailures = { readonly [suite: string]: { readonly [test: string]: string } }
const KNOWN = JSON.parse(
  readFileSync(join(import.meta.dirname, 'known-failures.json'), 'utf8'),
) as KnownFailures

/** `count`: how many there are, so that none is left out unseen. */
export function suite(
  name: string,
  cases: readonly (readonly [test: string, run: () => void])[],
  count: number,
): void {
  const known = KNOWN[name] ?? {}
  describe(name, () => {
    it(`has ${count} cases, and the known failures are some of them`, () => {
      const names = cases.map(([test]) => test)
      assert.equal(new Set(names).size, count)
      assert.deepEqual(
        Object.keys(known).filter((test) => !names.includes(test)),
        [],
      )
    })
    for (const [test, run] of cases) {
      const reason = known[test]
      if (reason === undefined) it(test, run)
      else
        it(`${test} (known to fail: ${reason})`, () => {
          assert.throws(run, 'it passes: take it off known-failures.json')
        })
    }
  })
}
