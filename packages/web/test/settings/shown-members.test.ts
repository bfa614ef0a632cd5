import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MemberRow } from '@sonde/queries'
import { MEMBERS_ON_PAGE, shownMembers } from '../../src/routes/[org]/settings/shown-members.server.ts'

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const
const WEB = { id: 1, slug: 'web', name: 'Web' }
const SRE = { id: 2, slug: 'sre', name: 'SRE' }

const member = (at: number): MemberRow => ({
  userId: `u${at}`,
  email: `p${at}@example.com`,
  name: `Person ${at}`,
  role: ROLES[at % 4] ?? 'member',
  isDisabled: false,
  hasTwoFactor: at % 10 === 0,
  addedMs: 0,
  createdMs: 0,
  lastSeenMs: undefined,
  teams: at % 3 === 0 ? [WEB] : at % 3 === 1 ? [SRE, WEB] : [],
})
const ALL = Array.from({ length: 250 }, (_, at) => member(at))
const asked = (query: string) => shownMembers(ALL, new URLSearchParams(query))

describe('the members that an address asks for', () => {
  it('are found by name or address, role, team and second factor, all at once', () => {
    assert.equal(asked('').found.length, 250)
    assert.deepEqual(
      asked('q=P249%40EXAMPLE').found.map(({ userId }) => userId),
      ['u249'],
    )
    assert.equal(asked('role=admin').found.length, 63)
    assert.equal(asked('team=%23sre').found.length, 83)
    assert.equal(asked('team=none').found.length, 83)
    assert.equal(asked('factor=on').found.length, 25)
    const both = asked('role=owner&team=none&factor=off&q=person')
    assert.ok(both.found.length > 0)
    assert.ok(both.found.every((each) => each.role === 'owner' && each.teams.length === 0))
    assert.deepEqual(
      asked('').teams.map(({ name }) => name),
      ['SRE', 'Web'],
    )
  })

  it('come in pages; a page that is not there is the last one', () => {
    assert.equal(asked('').onPage.length, MEMBERS_ON_PAGE)
    assert.deepEqual(
      ['2', '3', '9', '-1', '1e9', 'x', '2.5'].map((page) => {
        const { shown, onPage } = asked(`page=${page}`)
        return [shown.page, onPage.length]
      }),
      [
        [2, 100],
        [3, 50],
        [3, 50],
        [1, 100],
        [3, 50],
        [1, 100],
        [1, 100],
      ],
    )
  })

  it('what is not understood narrows nothing', () => {
    const { shown, found } = asked('role=king&team=%23gone&factor=maybe')
    assert.deepEqual(shown, { q: '', role: '', team: '', factor: '', page: 1 })
    assert.equal(found.length, 250)
  })
})
