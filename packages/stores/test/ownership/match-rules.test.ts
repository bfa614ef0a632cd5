import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { factsOfEvent } from '../../src/ownership/event-facts.ts'
import { createMatcher, repositoryPath } from '../../src/ownership/match-rules.ts'
import { parseCodeowners } from '../../src/ownership/parse-codeowners.ts'
import { parseOwnershipRules } from '../../src/ownership/parse-rules.ts'

const eventOf = (frames: readonly object[], more: object = {}): NormalizedEvent =>
  ({
    exception: [{ stacktrace: { frames: frames.map((frame) => ({ in_app: true, ...frame })) } }],
    ...more,
  }) as unknown as NormalizedEvent
const file = (filename: string, more: object = {}) => ({ filename, ...more })

function matched(event: NormalizedEvent, rules: string, codeowners = '', tags = {}): string[] {
  const mapping = { repository: 'acme/shop', stackRoot: '', sourceRoot: '' }
  const matches = createMatcher([
    { rules: parseCodeowners(codeowners).rules, mapping },
    { rules: parseOwnershipRules(rules).rules },
  ])
  return [...matches(factsOfEvent(event, tags))].map(({ rule }) => rule.text)
}

describe('matching ownership rules', () => {
  it('as in the example of Sentry: the last rule that matches decides, rules before CODEOWNERS', () => {
    const event = eventOf([
      file('models/UserModel.py'),
      file('backend/endpoints/auth/user.py'),
      file('backend/api/base.py'),
    ])
    const codeowners =
      '*.js @frontend\n*.tsx @frontend\nbackend/ @engineering\nmodels/ @models\nbackend/api/ @api\n'
    const rules =
      'path:backend/endpoints/* #api-team\npath:backend/endpoints/auth/* #auth-team #enterprise-team\n'
    assert.deepEqual(matched(event, rules, codeowners), [
      'path:backend/endpoints/auth/* #auth-team #enterprise-team',
      'path:backend/endpoints/* #api-team',
      'backend/api/ @api',
      'models/ @models',
      'backend/ @engineering',
    ])
  })

  it('paths: of the application alone, as they came and without what a bundler put in front', () => {
    const event = eventOf([
      file('node_modules/react/index.js', { in_app: false }),
      file('webpack://shop/./src/cart/total.tsx?1a2b', { abs_path: 'https://shop.example/static/main.js' }),
    ])
    assert.equal(matched(event, 'path:node_modules/* #web').length, 0)
    assert.equal(matched(event, 'path:src/cart/*.[jt]sx #web').length, 1)
    assert.equal(matched(event, 'path:SRC/Cart/* #web').length, 1)
    assert.equal(matched(event, 'path:https://shop.example/* #web').length, 1)
    assert.equal(matched(event, 'path:cart/* #web').length, 0)
    assert.equal(matched(event, 'path:*/cart/* #web').length, 1)
    assert.equal(
      matched(eventOf([file(String.raw`C:\shop\Cart.cs`)]), String.raw`path:C:\shop\* #web`).length,
      1,
    )
  })

  it('modules, addresses and tags', () => {
    const event = eventOf([{ module: 'com.example.Checkout' }], {
      request: { url: 'https://shop.example/v/7/pay' },
    })
    assert.equal(matched(event, 'module:com.example.* #web').length, 1)
    assert.equal(matched(event, 'module:com.example #web').length, 0)
    assert.equal(matched(event, 'url:https://shop.example/v/[0-9]/* #web').length, 1)
    const tags = { browser: 'Chrome 81.0.4', 'device.family': 'Mac' }
    assert.equal(matched(event, 'tags.browser:Chrome 81.0.? #web', '', tags).length, 1)
    assert.equal(matched(event, 'tags.device.family:mac #web', '', tags).length, 1)
    assert.equal(matched(event, 'tags.other:* #web', '', tags).length, 0)
    assert.equal(matched(event, 'tags.constructor:* #web', '', tags).length, 0)
  })

  it('an event without a stack matches what is not about files', () => {
    const event = { request: { url: 'https://a.example/' } } as unknown as NormalizedEvent
    assert.deepEqual(matched(event, 'path:* #a\nurl:* #b', '* @c'), ['url:* #b'])
  })

  it('a path of a stack is one of the repository by its code mapping', () => {
    const mapping = { stackRoot: '/srv/app/', sourceRoot: 'services/shop/' }
    assert.equal(repositoryPath(['srv/app/src/a.ts', '/srv/app/src/a.ts'], mapping), 'services/shop/src/a.ts')
    assert.equal(repositoryPath(['src/a.ts'], mapping), undefined)
    assert.equal(repositoryPath(['src/a.ts'], { stackRoot: '', sourceRoot: '/' }), 'src/a.ts')
  })

  it('two thousand rules and the longest stack take milliseconds', () => {
    const rules = Array.from({ length: 2_000 }, (_, n) => `path:src/area-${n}/**/*.[jt]sx? #team-${n}`).join(
      '\n',
    )
    const stack = Array.from({ length: 250 }, (_, n) => file(`src/area-x/folder-${n}/some/file-${n}.tsx`))
    const matches = createMatcher([{ rules: parseOwnershipRules(rules).rules }])
    const facts = factsOfEvent(eventOf(stack), {})
    assert.deepEqual([...matches(facts)], [])
    const startedMs = performance.now()
    assert.deepEqual([...matches(facts)], [])
    assert.ok(performance.now() - startedMs < 500)
  })
})
