import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { IssueTable, Selectable } from '@sonde/stores'
import fc from 'fast-check'
import { mergedState } from '../../src/reprocess/merge-issues.ts'

type Issue = Selectable<IssueTable>

const ISSUE: Issue = {
  id: 1,
  project_id: 1,
  short_number: 1,
  type: 'error',
  level: 'error',
  title: 't',
  culprit: 'c',
  platform: 'javascript',
  metadata: '{}',
  logger: '',
  status: 'unresolved',
  substatus: 'ongoing',
  is_unhandled: 0,
  first_seen_ms: 100,
  last_seen_ms: 200,
  event_count: 2,
  first_release: 'b',
  last_release: 'b',
  resolved_in: '',
  resolved_release: '',
  regressed_release: '',
  assignee_user_id: null,
  priority: 50,
  is_priority_set: 0,
  review_reason: '',
  review_ms: 0,
  assignee_team_id: null,
  last_event_id: 'e',
  created_ms: 100,
}
const issue = (more: Partial<Issue>): Issue => ({ ...ISSUE, ...more })
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const decided = (a: Partial<Issue>, b: Partial<Issue>): string => {
  const { status, substatus } = mergedState(issue(a), issue(b), byName)
  return `${status} ${substatus}`
}

it('releases widen by their order, whichever of the two was seen first', () => {
  const gone = issue({ first_seen_ms: 150, first_release: 'a', last_release: 'c' })
  const { first_release, last_release } = mergedState(ISSUE, gone, byName)
  assert.deepEqual([first_release, last_release], ['a', 'c'])
  const silent = mergedState(ISSUE, issue({ first_release: '', last_release: '' }), byName)
  assert.deepEqual([silent.first_release, silent.last_release], ['b', 'b'])
})

it('counts add up, times widen', () => {
  const gone = issue({
    first_seen_ms: 50,
    last_seen_ms: 150,
    event_count: 3,
    is_unhandled: 1,
  })
  const merged = mergedState(ISSUE, gone, byName)
  assert.deepEqual(
    [merged.event_count, merged.first_seen_ms, merged.last_seen_ms, merged.is_unhandled],
    [5, 50, 200, 1],
  )
})

it('unresolved wins, then resolved', () => {
  assert.equal(
    decided({ status: 'resolved', substatus: '' }, { status: 'unresolved', substatus: 'ongoing' }),
    'unresolved ongoing',
  )
  assert.equal(
    decided(
      { status: 'ignored', substatus: 'archived_forever' },
      { status: 'unresolved', substatus: 'ongoing' },
    ),
    'unresolved ongoing',
  )
  assert.equal(
    decided({ status: 'ignored', substatus: 'archived_forever' }, { status: 'resolved', substatus: '' }),
    'resolved ',
  )
  assert.equal(
    decided(
      { status: 'ignored', substatus: 'archived_forever' },
      { status: 'ignored', substatus: 'archived_forever' },
    ),
    'ignored archived_forever',
  )
})

it('is new only where both are, and says that it came back when either did', () => {
  assert.equal(decided({ substatus: 'new' }, { substatus: 'new' }), 'unresolved new')
  assert.equal(decided({ substatus: 'new' }, { substatus: 'ongoing' }), 'unresolved ongoing')
  assert.equal(decided({ status: 'resolved', substatus: '' }, { substatus: 'new' }), 'unresolved ongoing')
  const back = { substatus: 'regressed', regressed_release: 'shop@2' }
  assert.equal(decided({ substatus: 'ongoing' }, back), 'unresolved regressed')
  assert.equal(mergedState(ISSUE, issue(back), byName).regressed_release, 'shop@2')
})

it('keeps the release in which it was resolved', () => {
  const resolved = {
    status: 'resolved',
    substatus: '',
    resolved_in: 'next_release',
    resolved_release: 'shop@3',
  } as const
  assert.equal(mergedState(issue({ status: 'ignored' }), issue(resolved), byName).resolved_release, 'shop@3')
})

it('which of the two stays makes no difference to what is shown', () => {
  const any = fc.record({
    status: fc.constantFrom('unresolved', 'resolved', 'ignored'),
    substatus: fc.constantFrom('new', 'ongoing', 'regressed'),
    first_seen_ms: fc.nat(1000),
    last_seen_ms: fc.nat(1000),
    event_count: fc.nat(1000),
    is_unhandled: fc.constantFrom(0, 1),
  })
  fc.assert(
    fc.property(any, any, (a, b) => {
      const of = (one: Partial<Issue>, other: Partial<Issue>) => {
        const merged = mergedState(issue(one), issue(other), byName)
        const { status, event_count, first_seen_ms, last_seen_ms, is_unhandled } = merged
        return { status, event_count, first_seen_ms, last_seen_ms, is_unhandled }
      }
      assert.deepEqual(of(a, b), of(b, a))
    }),
  )
})
