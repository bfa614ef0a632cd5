/** Parts of heads that mean something to the endpoints, and to what stands behind them. */
import { KEY, PROJECT } from './requests.ts'

export const SEARCH = 'is:unresolved level:[error,"fatal"] has:user timesSeen:>1 firstSeen:-24h message:*x*'

export const DOOR_WORDS: readonly string[] = [
  `sentry_key=${KEY}`,
  'sentry_version=7',
  'sentry_key=1',
  'sentry_release=a%00b',
  'o=7',
  'p=42',
  'r=eu',
  `/api/${PROJECT}/envelope/`,
  '/api//42//store//',
  '/api/99999999999999999999999/envelope/',
  '/monitoring',
  'X-Sentry-Auth: Sentry sentry_key=1',
  'Origin: null',
  'X-Forwarded-For: ::1, 1.2.3.4',
  '%2e%2e%2f',
  ';q=0, *',
]

export const BACK_WORDS: readonly string[] = [
  'query=is%3Aunresolved',
  `query=${encodeURIComponent(SEARCH)}`,
  'cursor=0:100:0',
  'cursor=9007199254740993:1:1',
  'statsPeriod=99999999999d',
  'start=9999-12-31',
  'end=0001-01-01T00:00:00',
  'limit=-1',
  'per_page=0',
  'sort=freq',
  'field=p95(span.duration)',
  'field=count()',
  'field=tags[a b]',
  'project=-1',
  'full=1',
  'a=%ff%00',
  'x-sonde-page: prefetch',
  '/acme/shop/issues',
  '/__proto__/constructor/issues/1',
  'Accept-Encoding: br;q=0, zstd',
  'Accept: text/event-stream',
  'Range: bytes=0-0,-1',
  'If-None-Match: *',
  'Expect: 100-continue',
]
