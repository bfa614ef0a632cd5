import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_QUERY, ISSUE_SORTS, MAX_HITS } from '@sonde/queries'
import { DEFAULT_QUERY as SHOWN_DEFAULT_QUERY, SORTS } from '../../../src/parts/issue-list/list-search.ts'
import { MAX_HITS as SHOWN_MAX_HITS } from '../../../src/parts/issue-list/max-hits.ts'

test('what the browser knows of the list of issues is what queries say', () => {
  assert.equal(SHOWN_MAX_HITS, MAX_HITS)
  assert.equal(SHOWN_DEFAULT_QUERY, DEFAULT_QUERY)
  assert.deepEqual(
    SORTS.map(({ id }) => id),
    [...ISSUE_SORTS],
  )
})
