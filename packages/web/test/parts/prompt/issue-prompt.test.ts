import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import fc from 'fast-check'
import { issuePrompt, MAX_PROMPT_CHARS, type PromptFacts } from '../../../src/parts/prompt/issue-prompt.ts'

const EVENT: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  platform: 'javascript',
  level: 'error',
  timestamp: 1_772_000_000,
  received: 1_772_000_000,
  release: 'shop@2',
  user: { id: '7', email: 'ada@example.com', ip_address: '203.0.113.7' },
  tags: [
    ['plan', 'team'],
    ['user.email', 'ada@example.com'],
    ['url', 'https://shop.example/pay?token=abc'],
  ],
  request: {
    url: 'https://shop.example/pay?token=abc',
    method: 'GET',
    headers: [['Authorization', 'Bearer x']],
    cookies: [['sid', 'secret-cookie']],
  },
  exception: [
    {
      type: 'TypeError',
      value: 'cart is undefined',
      stacktrace: {
        frames: [
          {
            function: 'pay',
            filename: 'src/pay.ts',
            lineno: 12,
            in_app: true,
            pre_context: ['const cart = read()'],
            context_line: 'return cart.sum',
          },
        ],
      },
    },
  ],
  breadcrumbs: [{ type: 'default', level: 'info', message: 'pressed Pay', timestamp: 1_771_999_999 }],
  derived: { title: 'TypeError: cart is undefined', culprit: 'pay(src/pay.ts)', metadata: {} },
}
const FACTS: PromptFacts = {
  event: EVENT,
  issue: {
    shortId: 'SHOP-1',
    status: 'unresolved',
    eventCount: 12,
    userCount: 3,
    firstSeenMs: 1_771_000_000_000,
    lastSeenMs: 1_772_000_000_000,
    firstRelease: 'shop@1',
    lastRelease: 'shop@2',
  },
  url: 'https://sonde.example/acme/shop/issues/SHOP-1/events/x',
  commits: [{ sha: 'c0ffee'.repeat(6), message: 'pay: read the cart late', atMs: 0, path: 'src/pay.ts' }],
  trace: {
    spanCount: 2,
    lengthMs: 120,
    lines: [
      {
        id: 'b',
        depth: 0,
        op: 'http.client',
        name: 'GET /api/cart',
        service: 0,
        startMs: 10,
        durationMs: 90,
        isFailed: true,
        isHere: true,
      },
    ],
  },
  navigation: {
    from: '/cart',
    to: '/pay',
    trigger: 'link',
    outcome: 'failed',
    reason: 'page_data',
    durationMs: 300,
  },
  boundary: '0123456789abcdef',
}

/** What stands between the two lines. */
function dataOf(prompt: string, boundary = FACTS.boundary): string {
  const [, data, ...more] = prompt.split(new RegExp(`^(?:END )?DATA ${boundary}$`, 'm'))
  assert.equal(more.length, 1, 'the data has one beginning and one end')
  return data ?? ''
}

test('it says what broke, for whom, since when, where in the code, and what happened around it', () => {
  const data = dataOf(issuePrompt(FACTS))
  for (const part of [
    '# TypeError: cart is undefined',
    '- Issue: `SHOP-1, unresolved`',
    '- Events: `12, of 3 users`',
    '- First seen: `2026-02-13T16:26:40.000Z in release shop@1`',
    'TypeError: cart is undefined\n    at pay (src/pay.ts:12)',
    '> 12 | return cart.sum',
    '- `c0ffeec0ffee` of 1970-01-01, changed `src/pay.ts`: `pay: read the cart late`',
    '`pressed Pay`',
    '- Navigation `/cart` to `/pay` (`link`): `failed`, `page_data`, 300 ms',
    '  - `http.client GET /api/cart` 90 ms, from 10 ms on (failed, the event happened in it)',
    '`GET https://shop.example/pay`',
    '- `plan`: `team`',
  ])
    assert.ok(data.includes(part), `${part} is not in\n${data}`)
})

test('who the person was is left out, and what a request carried', () => {
  const prompt = issuePrompt(FACTS)
  for (const secret of ['ada@example.com', '203.0.113.7', 'token=abc', 'Bearer x', 'secret-cookie'])
    assert.ok(!prompt.includes(secret), `${secret} is in the prompt`)
})

test('what hides is removed: control characters, direction marks, tag characters', () => {
  const hidden = '\u0007\u202e\u200b\u{e0041}'
  const value = `seen${hidden}text`
  const data = dataOf(issuePrompt({ ...FACTS, event: { ...EVENT, exception: [{ type: 'X', value }] } }))
  assert.ok(data.includes('X: seentext'))
})

const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.constantFrom('`'.repeat(7_000), '```\n# heading', 'END DATA', 'x'.repeat(40_000), 'a\n'.repeat(20_000)),
)

test('whatever an event holds, the prompt has its size and the data its one end', () => {
  const sent = fc.record({
    title: text,
    value: text,
    message: text,
    line: text,
    crumbs: fc.array(text, { maxLength: 40 }),
    tags: fc.array(fc.tuple(text, text), { maxLength: 60 }),
    commit: text,
    span: text,
  })
  fc.assert(
    fc.property(sent, (hostile) => {
      const prompt = issuePrompt({
        ...FACTS,
        commits: Array.from({ length: 3 }, () => ({
          sha: hostile.commit,
          message: hostile.commit,
          atMs: 0,
          path: hostile.commit,
        })),
        trace: {
          spanCount: 1,
          lengthMs: 1,
          lines: Array.from({ length: 8 }, (_, depth) => ({
            id: 'b',
            depth,
            op: hostile.span,
            name: hostile.span,
            service: 0,
            startMs: 0,
            durationMs: 1,
            isFailed: false,
            isHere: false,
          })),
        },
        event: {
          ...EVENT,
          logentry: { message: hostile.message },
          tags: hostile.tags,
          breadcrumbs: hostile.crumbs.map((message) => ({
            type: 'default',
            level: 'info',
            message,
            timestamp: 1,
          })),
          exception: [
            {
              type: hostile.title,
              value: hostile.value,
              stacktrace: {
                frames: Array.from({ length: 80 }, () => ({
                  function: hostile.line,
                  filename: hostile.line,
                  lineno: 1,
                  in_app: true,
                  context_line: hostile.line,
                })),
              },
            },
          ],
          derived: { title: hostile.title, culprit: hostile.line, metadata: {} },
        },
      })
      assert.ok(prompt.length <= MAX_PROMPT_CHARS, `${prompt.length} characters`)
      dataOf(prompt)
    }),
    { numRuns: 200 },
  )
})
