import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorViewer, type UserViewer } from '@sonde/access'
import type { SondeError } from '@sonde/base'
import { ensureProject, InvalidInput, restoreIssues, updateIssues } from '@sonde/commands'
import { type House, NOW_MS, openHouse } from './house.ts'

describe('restoreIssues', () => {
  let house: House
  let member: UserViewer
  let ids: number[]
  let foreign: number[]
  const issues = async (org: string): Promise<number[]> => {
    const project = await ensureProject(house.deps, operatorViewer, { org, slug: 'shop' })
    const rows = await house.db
      .insertInto('issue')
      .values(
        [1, 2].map((short_number) => ({
          project_id: project.id,
          short_number,
          type: 'error',
          level: 'error',
          title: 'Error',
          culprit: '',
          platform: 'other',
          metadata: '{}',
          logger: '',
          is_unhandled: 0,
          first_seen_ms: NOW_MS,
          last_seen_ms: NOW_MS,
          event_count: 1,
          first_release: '',
          last_release: '',
          last_event_id: '',
          created_ms: NOW_MS,
        })),
      )
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const states = async (of: readonly number[]): Promise<string[]> => {
    const rows = await house.db.selectFrom('issue').selectAll().where('id', 'in', of).orderBy('id').execute()
    return rows.map((row) => `${row.status} ${row.substatus}`.trim())
  }
  const back = { org: 'acme', from: 'resolved', to: 'unresolved', substatus: 'new' } as const
  before(async () => {
    house = await openHouse()
    ids = await issues('acme')
    foreign = await issues('rival')
    member = await house.viewer('acme', 'member')
  })
  after(() => house.close())

  it('gives issues the state they had, which reopening would not, and says so in the audit', async () => {
    await updateIssues(house.deps, await house.deps.access.openOrg(member, 'acme', 'event:write'), {
      ids,
      status: 'resolved',
    })
    assert.deepEqual(
      await restoreIssues(house.deps, await house.deps.access.openOrg(member, back.org, 'event:write'), {
        ...back,
        ids,
      }),
      { count: 2 },
    )
    assert.deepEqual(await states(ids), ['unresolved new', 'unresolved new'])
    assert.match((await house.audit()).at(-1) ?? '', /issue\.undo acme$/)
  })

  it('leaves alone what somebody has changed since', async () => {
    await updateIssues(house.deps, await house.deps.access.openOrg(member, 'acme', 'event:write'), {
      ids,
      status: 'resolved',
    })
    await updateIssues(house.deps, await house.deps.access.openOrg(member, 'acme', 'event:write'), {
      ids: ids.slice(0, 1),
      status: 'ignored',
    })
    assert.deepEqual(
      await restoreIssues(house.deps, await house.deps.access.openOrg(member, back.org, 'event:write'), {
        ...back,
        ids,
      }),
      { count: 1 },
    )
    assert.deepEqual(await states(ids), ['ignored archived_forever', 'unresolved new'])
  })

  it('changes nothing of another organization, nor for who may only look', async () => {
    await updateIssues(house.deps, await house.deps.access.openOrg(operatorViewer, 'rival', 'event:write'), {
      ids: foreign,
      status: 'resolved',
    })
    assert.deepEqual(
      await restoreIssues(house.deps, await house.deps.access.openOrg(member, back.org, 'event:write'), {
        ...back,
        ids: foreign,
      }),
      { count: 0 },
    )
    assert.deepEqual(await states(foreign), ['resolved', 'resolved'])
    const viewer = await house.viewer('acme', 'viewer')
    await assert.rejects(
      house.deps.access
        .openOrg(viewer, back.org, 'event:write')
        .then((grant) => restoreIssues(house.deps, grant, { ...back, ids })),
      (error: SondeError) => error.kind === 'forbidden',
    )
    await assert.rejects(
      house.deps.access
        .openOrg(member, back.org, 'event:write')
        .then((grant) => restoreIssues(house.deps, grant, { ...back, ids, substatus: 'A B' })),
      InvalidInput,
    )
  })
})
