import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { issueStates } from '@sonde/queries'
import type { OrgScope } from '@sonde/stores'
import { type House, openHouse } from './house.ts'

describe('issueStates', () => {
  let house: House
  let acme: OrgScope
  let ids: readonly number[]
  let foreign: readonly number[]
  before(async () => {
    house = await openHouse()
    acme = await house.org('acme')
    const { projectId } = await house.project(acme, 'shop')
    ids = await house.issues(projectId, [
      { resolved_in: '', resolved_release: '' },
      { status: 'resolved', substatus: '', resolved_in: 'release', resolved_release: '1.0' },
    ])
    foreign = await house.issues((await house.project(await house.org('rival'), 'shop')).projectId, [{}])
  })
  after(() => house.close())

  it('says what each was, and nothing of what the scope does not have', async () => {
    const states = await issueStates(house.deps, acme, [...ids, ...foreign, 9_999])
    assert.deepEqual(
      states.map((state) => Object.values(state)),
      [
        [ids[0], 'unresolved', 'new', '', ''],
        [ids[1], 'resolved', '', 'release', '1.0'],
      ],
    )
    assert.deepEqual(await issueStates(house.deps, acme, []), [])
  })
})
