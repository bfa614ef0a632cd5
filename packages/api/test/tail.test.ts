import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

type Body = {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly cursor: string
  readonly hasMore: boolean
  readonly detail?: string
}

describe('what arrives, over the API', () => {
  let harness: Harness
  let headers: Record<string, string>
  let projectId: number
  const get = async (query: string, org = 'acme') => {
    const answer = await harness.fetch(`/api/0/organizations/${org}/tail/?${query}`, { headers })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  before(async () => {
    harness = await openHarness()
    projectId = (await harness.project('acme', 'shop')).id
    await harness.project('rival', 'secret')
    headers = { authorization: `Bearer ${await harness.token(['event:read', 'org:read'], 'acme')}` }
  })
  after(() => harness.close())

  it('is each event once, with its issue, project and what the cursor goes on from', async () => {
    const received = { receivedMs: NOW_MS }
    await harness.issue(projectId, { title: 'Old' }, [{ ...received, logPosition: 1 }])
    const begun = await get('dataset=errors&last=5')
    assert.deepEqual(
      begun.body.data.map(({ message }) => message),
      ['Old'],
    )
    const { issueId } = await harness.issue(projectId, { title: 'New' }, [
      { ...received, logPosition: 2 },
      { ...received, logPosition: 3 },
    ])
    const next = await get(`dataset=errors&cursor=${encodeURIComponent(begun.body.cursor)}`)
    assert.deepEqual(
      next.body.data.map(({ message, groupID, project, level }) => [message, groupID, project, level]),
      [
        ['New', String(issueId), 'shop', 'error'],
        ['New', String(issueId), 'shop', 'error'],
      ],
    )
    assert.equal(next.body.hasMore, false)
    const cursor = encodeURIComponent(next.body.cursor)
    assert.deepEqual((await get(`dataset=errors&cursor=${cursor}`)).body.data, [])
    assert.deepEqual((await get(`dataset=errors&last=5&query=Ol`)).body.data.length, 1)
    assert.deepEqual((await get('dataset=errors&last=5&project=shop')).body.data.length, 3)
  })

  it('refuses what is wrong, and what is of others', async () => {
    for (const query of ['', 'dataset=spans', 'dataset=errors&cursor=nonsense', 'dataset=errors&last=101'])
      assert.equal((await get(query)).status, 400, query)
    assert.equal((await get('dataset=errors&project=secret')).status, 404)
    assert.ok([403, 404].includes((await get('dataset=errors', 'rival')).status))
  })
})
