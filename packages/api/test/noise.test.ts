/** The noise of a project and its rules by the API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NOISE_CLASSES } from '@sonde/protocol/noise'
import { encodeOutcomeRow } from '@sonde/stores'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const NOISE = '/projects/acme/shop/noise/'
const RULES = `${NOISE}rules/`
const KEPT = Object.fromEntries(NOISE_CLASSES.map((name) => [name, 'keep']))

type Body = {
  readonly totals: Record<string, number>
  readonly classes: readonly (Record<string, unknown> & { readonly examples: readonly object[] })[]
  readonly reasons: readonly { readonly reason: string; readonly quantity: number }[]
  readonly actions: Record<string, string>
  readonly fullPerDay: number
}

describe('noise over the public API', () => {
  let harness: Harness
  let issueId = 0
  let eventId = ''
  const ask = async (
    path: string,
    scopes: readonly string[],
    { org = 'acme', put }: { readonly org?: string; readonly put?: unknown } = {},
  ) => {
    const answer = await harness.fetch(`/api/0${path}`, {
      headers: {
        authorization: `Bearer ${await harness.token(scopes, org)}`,
        ...(put !== undefined && { 'content-type': 'application/json' }),
      },
      ...(put !== undefined && {
        method: 'PUT',
        body: typeof put === 'string' ? put : JSON.stringify(put),
      }),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  before(async () => {
    harness = await openHarness()
    const { id } = await harness.project('acme', 'shop')
    await harness.project('globex', 'mill')
    const tags = {
      'noise.class': 'extension',
      'noise.rule': 'extension_frame',
      'noise.match': 'chrome-extension://abc',
    }
    const made = await harness.issue(id, { title: 'Wallet' }, [{ tags }])
    issueId = made.issueId
    eventId = made.eventIds[0] ?? ''
    const counted = [
      { outcome: 'accepted', reason: '', quantity: 1 },
      { outcome: 'filtered', reason: 'noise:bot', quantity: 7 },
    ] as const
    await harness.telemetry.insert(
      'outcomes',
      counted.map((each) =>
        encodeOutcomeRow({ atMs: NOW_MS - 60_000, projectId: id, keyId: 1, category: 'error', ...each }),
      ),
      'noise',
    )
  })
  after(() => harness.close())

  it('is what the page says: totals, classes with what is done with them, and reasons', async () => {
    const { status, body } = await ask(`${NOISE}?statsPeriod=1h`, ['event:read'])
    assert.equal(status, 200)
    assert.deepEqual(body.totals, { kept: 1, thinned: 0, dropped: 7, refused: 0, discarded: 0 })
    assert.deepEqual(new Set(body.classes.map((each) => each['class'])), new Set(NOISE_CLASSES))
    const extension = body.classes.find((each) => each['class'] === 'extension')
    const bot = body.classes.find((each) => each['class'] === 'bot')
    assert.deepEqual([bot?.['kept'], bot?.['dropped'], bot?.['action']], [0, 7, 'keep'])
    assert.deepEqual(
      { ...extension, users: undefined },
      {
        class: 'extension',
        name: 'Browser extensions',
        action: 'keep',
        kept: 1,
        thinned: 0,
        dropped: 0,
        issues: 1,
        users: undefined,
        rules: [
          {
            rule: 'extension_frame',
            description: 'The error was thrown in a script of a browser extension',
            events: 1,
          },
        ],
        examples: [
          {
            eventId,
            groupID: String(issueId),
            title: 'Wallet',
            rule: 'extension_frame',
            match: 'chrome-extension://abc',
            dateCreated: new Date(NOW_MS - 60_000).toISOString(),
          },
        ],
      },
    )
    assert.deepEqual(
      body.reasons.map(({ reason, quantity }) => [reason, quantity]),
      [['noise:bot', 7]],
    )
    const before = await ask(`${NOISE}?start=2025-01-01T00:00:00&end=2025-01-02T00:00:00`, ['event:read'])
    assert.deepEqual(before.body.totals, { kept: 0, thinned: 0, dropped: 0, refused: 0, discarded: 0 })
    assert.equal((await ask(`${NOISE}?statsPeriod=soon`, ['event:read'])).status, 400)
  })

  it('has rules, of which those that are named change', async () => {
    assert.deepEqual((await ask(RULES, ['project:read'])).body, { actions: KEPT, fullPerDay: 1_000 })
    const first = await ask(RULES, ['project:write'], { put: { actions: { bot: 'drop' }, fullPerDay: 500 } })
    assert.deepEqual(first, { status: 200, body: { actions: { ...KEPT, bot: 'drop' }, fullPerDay: 500 } })
    const second = await ask(RULES, ['project:write'], { put: { actions: { offline: 'thin' } } })
    const now = { actions: { ...KEPT, bot: 'drop', offline: 'thin' }, fullPerDay: 500 }
    assert.deepEqual(second.body, now)
    const back = await ask(RULES, ['project:write'], { put: { actions: { bot: 'keep' } } })
    assert.equal(back.body.actions['bot'], 'keep')
    const shown = await ask(NOISE, ['event:read'])
    assert.equal(shown.body.classes.find((each) => each['class'] === 'offline')?.['action'], 'thin')
  })

  it('refuses what there is not, and changes nothing by it', async () => {
    const before = (await ask(RULES, ['project:read'])).body
    for (const [put, field] of [
      [{ actions: { bot: 'hide' } }, 'actions'],
      [{ actions: { wallet: 'drop' } }, 'actions'],
      [{ actions: 'drop' }, 'actions'],
      [{ fullPerDay: 99 }, 'fullPerDay'],
      [{ fullPerDay: '500' }, 'fullPerDay'],
      [{ fullPerday: 500 }, 'input'],
      ['[1]', 'detail'],
      [`{"actions":"${'x'.repeat(100_000)}"}`, 'detail'],
    ] as const) {
      const { status, body } = await ask(RULES, ['project:write'], { put })
      assert.equal(status, 400, JSON.stringify(put).slice(0, 80))
      assert.deepEqual(Object.keys(body), [field])
    }
    assert.deepEqual((await ask(RULES, ['project:read'])).body, before)
  })

  it('is for those who may: events to read, the project to read and to change its rules', async () => {
    assert.equal((await ask(NOISE, ['project:read'])).status, 403)
    assert.equal((await ask(RULES, ['event:read'])).status, 403)
    assert.equal((await ask(RULES, ['project:read'], { put: { fullPerDay: 0 } })).status, 403)
    for (const path of [NOISE, RULES])
      assert.equal((await ask(path, ['event:read', 'project:read'], { org: 'globex' })).status, 403)
    const stranger = await ask(RULES, ['project:write'], { org: 'globex', put: { fullPerDay: 0 } })
    assert.equal(stranger.status, 403)
  })
})
