import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

type Body = {
  readonly verdict: string
  readonly before: string | null
  readonly sentence: string
  readonly measures: readonly { readonly name: string; readonly sentence: string }[]
  readonly absent: readonly string[]
  readonly absentReasons: readonly string[]
  readonly detail?: string
}

describe('the verdict of a release over the public API', () => {
  let harness: Harness
  let headers: Record<string, string>
  const get = async (path: string, init: { readonly headers?: Record<string, string> } = {}) => {
    const response = await harness.fetch(`/api/0${path}`, { headers, ...init })
    return { status: response.status, body: (await response.json()) as Body }
  }

  before(async () => {
    harness = await openHarness()
    const shop = (await harness.project('acme', 'shop')).id
    await harness.project('acme', 'api')
    await harness.project('rival', 'secret')
    headers = { authorization: `Bearer ${await harness.token(['event:read', 'project:releases'], 'acme')}` }
    const create = (version: string, projects: readonly string[]) =>
      harness.fetch('/api/0/organizations/acme/releases/', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ version, projects }),
      })
    assert.equal((await create('shop@1.0.0', ['shop'])).status, 201)
    assert.equal((await create('shop@2.0.0', ['shop'])).status, 201)
    assert.equal((await create('both@1.0.0', ['shop', 'api'])).status, 201)
    const time = new Date(NOW_MS - 60_000).toISOString().slice(0, -1).replace('T', ' ')
    const crashed = { 'shop@1.0.0': 10, 'shop@2.0.0': 900 }
    const lines = Object.entries(crashed).map(([release, count], index) =>
      JSON.stringify({
        project_id: shop,
        received: time,
        started: time,
        session_id: String(index).padStart(32, '0'),
        release,
        environment: 'production',
        version: index,
        healthy: 5_000 - count,
        crashed: count,
      }),
    )
    await harness.telemetry.command(`INSERT INTO sessions FORMAT JSONEachRow ${lines.join('\n')}`)
  })
  after(() => harness.close())

  const SHOP = '/projects/acme/shop/releases/'

  it('is what the command line says, with sentences', async () => {
    const { status, body } = await get(`${SHOP}shop@2.0.0/verdict/`)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.verdict, body.before, body.sentence],
      ['worse', 'shop@1.0.0', 'shop@2.0.0 is worse than shop@1.0.0.'],
    )
    assert.deepEqual(
      body.measures.map(({ name }) => name),
      ['crashed_sessions'],
    )
    assert.match(
      body.measures[0]?.sentence ?? '',
      /^More sessions crash: \+17\.8 points, 95% interval \+16\.\d to \+19\.\d points, from 5,000 sessions of this release and 5,000 of the one before\.$/,
    )
    assert.ok(body.absent.includes('error_rate'))
    assert.ok(body.absentReasons.some((text) => text.startsWith('No transactions were received')))
    const turned = await get(`${SHOP}shop@1.0.0/verdict/?before=shop@2.0.0`)
    assert.equal(turned.body.verdict, 'better')
    assert.equal(
      (await get(`${SHOP}shop@2.0.0/verdict/?environment=staging`)).body.verdict,
      'not_enough_data',
    )
  })

  it('is found under the organization too, of the project that is told where there are several', async () => {
    const base = '/organizations/acme/releases/'
    assert.equal((await get(`${base}shop@2.0.0/verdict/`)).body.verdict, 'worse')
    const unsaid = await get(`${base}both@1.0.0/verdict/`)
    assert.equal(unsaid.status, 400)
    assert.match(unsaid.body.detail ?? '', /say which with \?project=/)
    assert.equal((await get(`${base}both@1.0.0/verdict/?project=shop`)).status, 200)
    assert.equal((await get(`${base}both@1.0.0/verdict/?project=nothing`)).status, 404)
  })

  it('refuses a time that is none, a release that is not there, and whoever may not read events', async () => {
    for (const period of ['91d', 'long', '0h'])
      assert.equal((await get(`${SHOP}shop@2.0.0/verdict/?statsPeriod=${period}`)).status, 400, period)
    assert.equal((await get(`${SHOP}shop@9.0.0/verdict/`)).status, 404)
    assert.equal((await get(`${SHOP}shop@2.0.0/verdict/?before=shop@9.0.0`)).status, 404)
    assert.equal((await get('/organizations/acme/releases/shop@9.0.0/verdict/')).status, 404)
    const build = {
      headers: { authorization: `Bearer ${await harness.token(['project:releases'], 'acme')}` },
    }
    assert.equal((await get(`${SHOP}shop@2.0.0/verdict/`, build)).status, 403)
    const rival = { headers: { authorization: `Bearer ${await harness.token(['event:read'], 'rival')}` } }
    for (const path of [SHOP, '/organizations/acme/releases/'])
      assert.equal((await get(`${path}shop@2.0.0/verdict/`, rival)).status, 403)
  })
})
