/** The filter by assignee: what it becomes, what it reads back as, and what is refused. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvalidInput } from '@sonde/commands'
import { assignedFilters, readAssigned } from '../../src/alert-forms/assigned-filters.ts'

const ID = 'sentry.rules.filters.assigned_to.AssignedToFilter'
const OURS = 'sonde.filters.assigned_to'
const LEVEL = { id: 'sentry.rules.filters.level.LevelFilter', level: '40', match: 'eq' }
const directory = {
  channels: [],
  trackers: [],
  members: [{ userId: 'u1', email: 'ann@acme.test' }],
  teams: [{ id: 7, slug: 'web' }],
}
const nobody = { id: ID, targetType: 'Unassigned', targetIdentifier: '' }
const team = { id: ID, targetType: 'Team', targetIdentifier: 7 }
const member = { id: ID, targetType: 'Member', targetIdentifier: 'ann@acme.test' }

describe('filters by assignee', () => {
  for (const [filters, match, assigned] of [
    [[nobody], 'all', { isNot: false, to: [''] }],
    [[team], 'any', { isNot: false, to: ['team:7'] }],
    [[member, LEVEL], 'all', { isNot: false, to: ['user:u1'] }],
    [[nobody, team], 'any', { isNot: false, to: ['', 'team:7'] }],
    [[nobody, member, LEVEL], 'none', { isNot: true, to: ['', 'user:u1'] }],
    [[LEVEL], 'all', undefined],
  ] as const)
    it(`${match} of ${JSON.stringify(filters)} reads back as the same`, () => {
      const read = readAssigned(filters, match, directory)
      assert.deepEqual(read.assigned, assigned)
      assert.deepEqual(
        read.others,
        filters.filter((each) => each === LEVEL),
      )
      assert.deepEqual(readAssigned(assignedFilters(read.assigned), 'all', directory).assigned, assigned)
    })

  for (const [filters, match, words] of [
    [[nobody, team], 'all', /an issue has one/],
    [[nobody, LEVEL], 'any', /all of them hold/],
    [[{ id: ID, targetType: 'Role' }], 'all', /Unassigned, Team or Member/],
    [[{ ...team, targetIdentifier: 8 }], 'all', /neither id nor slug of a team/],
    [[{ ...member, targetIdentifier: 'eve@rival.test' }], 'all', /of a member/],
    [[{ id: OURS, values: 'nobody' }], 'all', /"values" is a list/],
    [[{ id: OURS, values: ['all'] }], 'all', /nobody, user:ID and team:ID/],
    [[{ id: OURS, values: ['nobody'] }, team], 'all', /stands alone/],
  ] as const)
    it(`${match} of ${JSON.stringify(filters)} is refused in words`, () => {
      assert.throws(
        () => readAssigned(filters, match, directory),
        (error: unknown) =>
          error instanceof InvalidInput && words.test(Object.values(error.fields).flat().join(' ')),
      )
    })
})
