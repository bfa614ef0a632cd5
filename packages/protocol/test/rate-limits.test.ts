import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRateLimits, type RateLimit } from '@sonde/protocol/rate-limits'

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
