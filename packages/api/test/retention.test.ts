/** The retention of a project and its preview by the API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const PATH = '/projects/acme/shop/retention/'
const DAY_MS = 86_400_000
const TODAY = NOW_MS - (NOW_MS % DAY_MS)

type Kind = Readonly<Record<string, unknown>> & { readonly kind: string }
type Body = {
  readonly kinds: readonly Kind[]
  readonly deleted: unknown
  readonly 'rules.spans.keepDays': unknown
}

describe('retention over the public API', () => {
  let harness: Harness
  before(async () => {
    harness = await openHarness()
    const { id } = await harness.project('acme', 'shop')
    await harness.db
      .insertInto('storage_day')
      .values(
        [0, 10, 20].map((ago) => ({
          project_id: id,
          kind: 'spans' as const,
          day_ms: TODAY - ago * DAY_MS,
          rows: 5,
          bytes: 1_000_000,
          most_bytes: 1_000_000,
        })),
      )
      .execute()
  })
  after(() => harness.close())
  const ask = async (path: string, scopes: readonly string[], method = 'GET', json?: unknown) => {
    const answer = await harness.fetch(`/api/0${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await harness.token(scopes, 'acme')}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const spansOf = ({ kinds }: Body): Kind | undefined => kinds.find(({ kind }) => kind === 'spans')
  const STORED = {
    kind: 'spans',
    rows: 15,
    bytes: 3_000_000,
    oldest: new Date(TODAY - 20 * DAY_MS).toISOString(),
  }
  const GOES = { before: new Date(TODAY - 9 * DAY_MS).toISOString(), rows: 10, bytes: 2_000_000 }

  it('says what is stored, and what would go by rules that are only tried', async () => {
    const { status, body } = await ask(PATH, ['project:read'])
    assert.equal(status, 200)
    assert.deepEqual(spansOf(body), { ...STORED, keepDays: null, maxBytes: null, deleted: null })
    const rules = { spans: { keepDays: 7, maxBytes: null } }
    const tried = await ask(`${PATH}preview/`, ['project:write'], 'POST', rules)
    assert.deepEqual(spansOf(tried.body), { ...STORED, keepDays: 7, maxBytes: null, deleted: GOES })
    assert.deepEqual(tried.body.deleted, { rows: 10, bytes: 2_000_000 })
    assert.deepEqual(spansOf((await ask(PATH, ['project:read'])).body)?.['deleted'], null)
  })

  it('changes the kinds that are named', async () => {
    await ask(PATH, ['project:write'], 'PUT', { logs: { keepDays: 3, maxBytes: null } })
    const put = await ask(PATH, ['project:write'], 'PUT', { spans: { keepDays: null, maxBytes: 1_500_000 } })
    assert.deepEqual(spansOf(put.body), { ...STORED, keepDays: null, maxBytes: 1_500_000, deleted: GOES })
    assert.equal(put.body.kinds.find(({ kind }) => kind === 'logs')?.['keepDays'], 3)
  })

  it('refuses what is no rule, and who may not', async () => {
    const rules = { spans: { keepDays: 0, maxBytes: null } }
    const refused = await ask(PATH, ['project:write'], 'PUT', rules)
    assert.equal(refused.status, 400)
    assert.ok(refused.body['rules.spans.keepDays'])
    for (const [path, method] of [
      [PATH, 'PUT'],
      [`${PATH}preview/`, 'POST'],
    ] as const)
      assert.equal((await ask(path, ['project:read'], method, {})).status, 403)
  })
})
