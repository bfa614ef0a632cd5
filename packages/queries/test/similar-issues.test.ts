import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findIssue, similarIssues } from '@sonde/queries'
import { likeness, messageWords, type Traits } from '../src/similar/likeness.ts'
import { type Harness, NOW_MS, openHarness, type OrgGrant, type ProjectGrant } from './harness.ts'

const traits = (
  given: Partial<Omit<Traits, 'words' | 'functions'>> & { message?: string; functions?: string[] },
): Traits => ({
  type: 'TypeError',
  culprit: '',
  place: '',
  ...given,
  words: messageWords(given.message ?? ''),
  functions: given.functions && new Set(given.functions),
})

describe('likeness', () => {
  const A = 'Cannot read property "id" of undefined (user 4711)'
  const B = 'Cannot read property "name" of undefined (user 12)'
  const CASES: readonly (readonly [string, Traits, Traits, number, string])[] = [
    [
      'the same but for a number',
      traits({ message: 'order 12 failed' }),
      traits({ message: 'order 99 failed' }),
      1,
      'same type and message',
    ],
    [
      'the same but for an id',
      traits({ message: 'user 0b1e6f1c-93e9-4f06-9e4f-2a7f3d0e5c11 gone' }),
      traits({ message: 'user deadbeef01 gone' }),
      1,
      'same type and message',
    ],
    ['one other word', traits({ message: A }), traits({ message: B }), 0.84, 'same type and similar message'],
    ['only the type', traits({ message: 'a b c' }), traits({ message: 'd e f' }), 0.36, 'same type'],
    ['only the message', traits({ message: A }), traits({ message: A, type: 'Error' }), 0.64, 'same message'],
    ['nothing', traits({ message: 'a' }), traits({ message: 'b', type: 'Error' }), 0, ''],
    ['nothing known', traits({ type: '' }), traits({ type: '' }), 0, ''],
    [
      'the same culprit, another type',
      traits({ message: 'a', culprit: 'pay' }),
      traits({ message: 'b', type: 'E', culprit: 'pay' }),
      0.21,
      'same function',
    ],
    [
      'the same call path',
      traits({ message: 'a', functions: ['x:f', 'x:g'] }),
      traits({ message: 'b', functions: ['x:f', 'x:g'] }),
      0.59,
      'same type, same call path',
    ],
    [
      'no function in common',
      traits({ message: 'a b', functions: ['x:f'] }),
      traits({ message: 'a b', functions: ['y:f'] }),
      0.65,
      'same type and message',
    ],
    [
      'a stack that is not kept says nothing',
      traits({ message: 'a b', functions: ['x:f'] }),
      traits({ message: 'a b' }),
      1,
      'same type and message',
    ],
  ]
  for (const [name, a, b, score, reason] of CASES) {
    it(`${name}: ${score}, ${reason || 'no reason'}`, () => {
      assert.deepEqual(
        { score: Math.round(likeness(a, b).score * 100) / 100, reason: likeness(a, b).reason },
        { score, reason },
      )
      assert.deepEqual(likeness(a, b), likeness(b, a))
    })
  }
})

describe('similarIssues', () => {
  let harness: Harness
  let acme: OrgGrant
  let shop: ProjectGrant
  const ids = new Map<string, number>()
  const frame = (name: string, inApp = true) => ({ function: name, module: 'cart', in_app: inApp })
  const add = async (
    grant: ProjectGrant,
    name: string,
    number: number,
    metadata: Record<string, string>,
    functions: readonly string[] | undefined,
  ) => {
    const eventId = number.toString(16).padStart(32, 'a')
    const title = metadata['type'] === undefined ? name : `${metadata['type']}: ${metadata['value']}`
    const [id = 0] = await harness.issues(grant.projectId, [
      {
        short_number: number,
        title,
        culprit: metadata['function'] ?? '',
        metadata: JSON.stringify(metadata),
        last_event_id: eventId,
        last_seen_ms: NOW_MS - number,
      },
    ])
    ids.set(name, id)
    if (!functions) return
    const frames = [frame('react.render', false), ...functions.map((each) => frame(each))]
    const payload = JSON.stringify({
      event_id: eventId,
      exception: [{ stacktrace: { frames } }],
      derived: {},
    })
    await harness.events(grant.projectId, id, [{ eventId, payload, timestampMs: NOW_MS - number }])
  }
  before(async () => {
    harness = await openHarness()
    acme = await harness.org('acme')
    shop = await harness.project(acme, 'shop')
    const rival = await harness.project(await harness.org('rival'), 'secret')
    const total = {
      type: 'TypeError',
      value: "Cannot read properties of undefined (reading 'total')",
      function: 'total',
      filename: 'cart.ts',
    }
    await add(shop, 'own', 1, total, ['checkout', 'total'])
    await add(
      shop,
      'same path',
      2,
      { ...total, value: "Cannot read properties of undefined (reading 'sum')" },
      ['checkout', 'total'],
    )
    await add(shop, 'other path', 3, { ...total, function: 'draw', filename: 'map.ts' }, ['draw'])
    await add(shop, 'other type', 4, { ...total, type: 'RangeError', value: 'Invalid array length' }, [
      'checkout',
      'total',
    ])
    await add(
      shop,
      'stranger',
      5,
      { type: 'NetworkError', value: 'Failed to fetch', function: 'load', filename: 'api.ts' },
      ['load'],
    )
    await add(shop, 'forgotten', 6, { ...total, function: 'old', filename: 'old.ts' }, undefined)
    await add(shop, 'Queue is 80% full', 7, {}, undefined)
    await add(shop, 'Queue is 95% full', 8, {}, undefined)
    await add(rival, 'secret', 9, total, ['checkout', 'total'])
  })
  after(() => harness.close())

  const similar = async (name: string, limit?: number) => {
    const issue = await findIssue(harness.deps, shop, ids.get(name) ?? 0)
    assert.ok(issue)
    return similarIssues(harness.deps, issue, limit)
  }

  it('finds relatives in the same project, the most alike first, and says why', async () => {
    const found = await similar('own')
    const names = found.map(({ issue, reason }) => [[...ids].find(([, id]) => id === issue.id)?.[0], reason])
    assert.deepEqual(names, [
      ['same path', 'same type and similar message, same call path'],
      ['forgotten', 'same type and message'],
      ['other path', 'same type and message'],
      ['other type', 'same call path'],
    ])
    assert.ok(found.every(({ score }) => score >= 0.4 && score <= 1))
  })

  it('messages without a type are compared by their words', async () => {
    const [found] = await similar('Queue is 80% full')
    assert.equal(found?.issue.title, 'Queue is 95% full')
    assert.equal(found.reason, 'same message')
  })

  it('no more than asked for; none where nothing is alike', async () => {
    assert.equal((await similar('own', 2)).length, 2)
    assert.deepEqual(await similar('stranger'), [])
  })
})
