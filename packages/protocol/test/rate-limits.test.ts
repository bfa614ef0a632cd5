import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_CATEGORIES } from '@sonde/protocol/outcome'
import {
  formatRateLimits,
  parseRateLimits,
  parseRetryAfter,
  type RateLimit,
  readRateLimits,
} from '@sonde/protocol/rate-limits'
import * as fc from 'fast-check'

const NOW_MS = Date.UTC(2026, 0, 1)

const WRITTEN: readonly [limits: RateLimit[], header: string][] = [
  [[], ''],
  [[{ retryAfterSec: 60, categories: [] }], '60::key'],
  [
    [{ retryAfterSec: 60, categories: ['error', 'transaction'], scope: 'project', reason: 'quota' }],
    '60:error;transaction:project:quota',
  ],
  [[{ retryAfterSec: 0.2, categories: ['error'] }], '1:error:key'],
  [[{ retryAfterSec: 59.1, categories: ['error'] }], '60:error:key'],
  [[{ retryAfterSec: 5, categories: ['trace_metric'] }], '5:trace_metric;metric:key'],
  [[{ retryAfterSec: 5, categories: ['profile_chunk', 'profile'] }], '5:profile_chunk;profile:key'],
  [
    [{ retryAfterSec: 5, categories: ['metric_bucket'], namespaces: ['custom', 'spans'] }],
    '5:metric_bucket:key::custom;spans',
  ],
  [[{ retryAfterSec: 5, categories: ['error'], reason: 'a:b,c\r\nX: 1' }], '5:error:key:a_b_c_X_1'],
  [
    [
      { retryAfterSec: 1, categories: ['error'] },
      { retryAfterSec: 2, categories: ['span'], scope: 'organization' },
    ],
    '1:error:key, 2:span:organization',
  ],
]
for (const [limits, header] of WRITTEN)
  test(`"${header}" is written`, () => assert.equal(formatRateLimits(limits), header))

const READ: readonly [header: string, limits: RateLimit[]][] = [
  [
    '60:error;transaction:key:quota',
    [{ retryAfterSec: 60, categories: ['error', 'transaction'], scope: 'key', reason: 'quota' }],
  ],
  ['60', [{ retryAfterSec: 60, categories: [] }]],
  ['60::organization', [{ retryAfterSec: 60, categories: [], scope: 'organization' }]],
  ['2.5:error', [{ retryAfterSec: 2.5, categories: ['error'] }]],
  [
    ' 1 : error ; span : key , 2:log_item ',
    [
      { retryAfterSec: 1, categories: ['error', 'span'], scope: 'key' },
      { retryAfterSec: 2, categories: ['log_item'] },
    ],
  ],
  ['x:error', [{ retryAfterSec: 60, categories: ['error'] }]],
  ['-5:error', [{ retryAfterSec: 60, categories: ['error'] }]],
  ['1e9:error', [{ retryAfterSec: 60, categories: ['error'] }]],
  ['5:error;never_heard_of', [{ retryAfterSec: 5, categories: ['error'] }]],
  ['5:never_heard_of', []],
  ['5:__proto__', []],
  ['5:error:galaxy', [{ retryAfterSec: 5, categories: ['error'] }]],
  ['5:metric', [{ retryAfterSec: 5, categories: ['trace_metric'] }]],
  [
    '5:metric_bucket:key::spans',
    [{ retryAfterSec: 5, categories: ['metric_bucket'], scope: 'key', namespaces: ['spans'] }],
  ],
  [', ,', []],
  ['', []],
]
for (const [header, limits] of READ)
  test(`"${header}" is read`, () => assert.deepEqual(parseRateLimits(header), limits))

test('limits that are written are read back, with the JavaScript names of the same thing at most', () => {
  const category = fc.constantFrom(...DATA_CATEGORIES)
  const token = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,10}$/)
  const limit = fc.record(
    {
      retryAfterSec: fc.integer({ min: 1, max: 100_000 }),
      categories: fc.uniqueArray(category, { maxLength: 5 }),
      scope: fc.constantFrom('organization' as const, 'project' as const, 'key' as const),
      reason: token,
      namespaces: fc.array(token, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['retryAfterSec', 'categories', 'scope'] },
  )
  fc.assert(
    fc.property(fc.array(limit, { maxLength: 4 }), (limits) => {
      const read = parseRateLimits(formatRateLimits(limits))
      assert.deepEqual(
        read.map(({ categories, ...rest }) => ({ ...rest, categories: new Set(categories) })),
        limits.map(({ categories, ...rest }) => ({
          ...rest,
          categories: new Set(
            categories.flatMap((one) => (one === 'profile_chunk' ? [one, 'profile'] : [one])),
          ),
        })),
      )
    }),
  )
})

test('any header is read without an error, and never stops everything by accident', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const limit of parseRateLimits(`5:${text.replaceAll(/[:,;\s]/g, '')}x`))
        assert.notEqual(limit.categories.length, 0)
      for (const limit of parseRateLimits(text)) assert.ok(limit.retryAfterSec >= 0)
    }),
  )
})

for (const [header, seconds] of [
  ['7', 7],
  [' 0.5 ', 0.5],
  ['Thu, 01 Jan 2026 00:02:00 GMT', 120],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['soon', 60],
  ['', 60],
] as const) {
  test(`Retry-After "${header}" means ${seconds} s`, () =>
    assert.equal(parseRetryAfter(header, NOW_MS), seconds))
}

const everything = (retryAfterSec: number): RateLimit[] => [{ retryAfterSec, categories: [] }]
const ANSWERS: readonly [name: string, answer: Parameters<typeof readRateLimits>[0], limits: RateLimit[]][] =
  [
    ['a 200 without headers limits nothing', { status: 200 }, []],
    [
      'a 200 may limit what comes next',
      { status: 200, rateLimits: '5:error' },
      [{ retryAfterSec: 5, categories: ['error'] }],
    ],
    [
      'R4: a 429 without headers stops everything for 60 s',
      { status: 429, rateLimits: null, retryAfter: null },
      everything(60),
    ],
    ['a 503 with Retry-After stops everything for so long', { status: 503, retryAfter: '9' }, everything(9)],
    [
      'Retry-After counts for nothing beside the other header',
      { status: 429, rateLimits: '5:error', retryAfter: '9' },
      [{ retryAfterSec: 5, categories: ['error'] }],
    ],
    ['a 413 limits nothing', { status: 413, rateLimits: '5:error', retryAfter: '9' }, []],
  ]
for (const [name, answer, limits] of ANSWERS)
  test(name, () => assert.deepEqual(readRateLimits(answer, NOW_MS), limits))
