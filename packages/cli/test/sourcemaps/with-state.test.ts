import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BundleCheck, withState } from '../../src/sourcemaps/check-bundle.ts'
import type { BundleProblem } from '../../src/sourcemaps/problems.ts'

const ID = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'
const check = (...problems: BundleProblem[]): BundleCheck => ({
  file: 'main.js',
  debugId: ID,
  problems: problems.map((problem) => ({ problem, detail: '' })),
})
const problemsOf = ({ problems }: BundleCheck): BundleProblem[] => problems.map(({ problem }) => problem)

test('a map that was deleted after its upload is not missed, another fault stays', () => {
  const readable = { state: 'readable', detail: '' } as const
  assert.deepEqual(problemsOf(withState(check('no_map'), readable)), [])
  assert.deepEqual(problemsOf(withState(check('not_checked'), readable)), [])
  assert.deepEqual(problemsOf(withState(check('ids_differ'), readable)), ['ids_differ'])
})

test('what the server does not have, or cannot read, is a problem of the bundle', () => {
  assert.deepEqual(problemsOf(withState(check('map_missing'), undefined)), ['map_missing', 'not_uploaded'])
  assert.deepEqual(problemsOf(withState(check('not_checked'), undefined)), ['not_uploaded'])
  const broken = withState(check(), { state: 'broken', detail: 'not_json: it ends early' })
  assert.deepEqual(broken.problems, [{ problem: 'broken_upload', detail: 'not_json: it ends early' }])
  const { debugId: _, ...without } = check('no_debug_id')
  assert.deepEqual(withState(without, undefined), without)
})
