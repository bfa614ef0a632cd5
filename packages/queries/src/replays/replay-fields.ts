/** What a replay can be searched by: columns of the sum over its rows (`replay-sums.ts`). What the search field offers. */
import type { Narrowing } from '../explore/bounded-query.ts'
import type { SearchSubject } from '../explore/span-conditions.ts'
import type { SpanField } from '../explore/span-fields.ts'
import type { KnownKey, SuggestSubject } from '../explore/span-suggestions.ts'
import { SearchError } from '../search/search-term.ts'

const text = (sql: string): SpanField => ({ kind: 'text', sql })
const number = (sql: string): SpanField => ({ kind: 'number', sql })
const list = (sql: string): SpanField => ({ kind: 'list', sql })

/** Of the visit: the same names over one row as over the sum. */
const VISIT: readonly (readonly [name: string, field: SpanField])[] = [
  ['release', text('release')],
  ['releases', text('release')],
  ['environment', text('environment')],
  ['platform', text('platform')],
  ['browser', text('browser')],
  ['browser.name', text('browser')],
  ['os', text('os')],
  ['os.name', text('os')],
  ['device', text('device')],
  ['country', text('country')],
  ['connection', text('connection')],
  ['user', text('user_key')],
  ['user.id', text("if(startsWith(user_key, 'id:'), substring(user_key, 4), '')")],
  ['user.name', text('user_name')],
  ['sdk.name', text('sdk_name')],
  ['sdk.version', text('sdk_version')],
  ['replay_type', text('replay_type')],
]

/** Names of Sentry's public documentation, and shorter ones. */
const SUMMED: ReadonlyMap<string, SpanField> = new Map([
  ...VISIT,
  ['project.id', number('projectId')],
  ['id', text('replayId')],
  ['replay_id', text('replayId')],
  ['url', list('urls')],
  ['urls', list('urls')],
  ['trace', list('traceIds')],
  ['trace_ids', list('traceIds')],
  ['event', list('errorIds')],
  ['error_ids', list('errorIds')],
  ['errors', number('errors')],
  ['count_errors', number('errors')],
  ['duration', { kind: 'duration', sql: 'durationMs' }],
  ['clicks', number('clicks')],
  ['rage_clicks', number('rageClicks')],
  ['count_rage_clicks', number('rageClicks')],
  ['dead_clicks', number('deadClicks')],
  ['count_dead_clicks', number('deadClicks')],
  ['navigations', number('navigations')],
  ['failed_requests', number('failedRequests')],
  ['segments', number('segments')],
  ['count_segments', number('segments')],
  ['activity', number('activity')],
  ['timestamp', { kind: 'time', sql: 'started' }],
  ['started', { kind: 'time', sql: 'started' }],
])

const KEYS: readonly KnownKey[] = [
  { key: 'url', kind: 'text', description: 'An address that was visited, like *checkout*' },
  { key: 'user', kind: 'text', description: 'A user, like id:42' },
  { key: 'user.name', kind: 'text', description: 'Name, e-mail or id as the list shows it' },
  { key: 'errors', kind: 'number', description: 'How many errors there were, like >0' },
  { key: 'duration', kind: 'number', description: 'How long the visit was, like >30s or <5m' },
  { key: 'rage_clicks', kind: 'number', description: 'Places that were clicked again and again' },
  { key: 'dead_clicks', kind: 'number', description: 'Clicks that changed nothing' },
  { key: 'activity', kind: 'number', description: '0 to 10: how much happened in it' },
  { key: 'clicks', kind: 'number', description: 'Clicks' },
  { key: 'navigations', kind: 'number', description: 'Pages and routes that were opened' },
  { key: 'failed_requests', kind: 'number', description: 'Requests that failed' },
  { key: 'release', kind: 'text', description: 'Release that was visited' },
  { key: 'environment', kind: 'text', description: 'Where it ran: production, staging, …' },
  { key: 'browser', kind: 'text', description: 'Name of the browser' },
  { key: 'os', kind: 'text', description: 'Operating system' },
  { key: 'device', kind: 'text', description: 'mobile, tablet, desktop' },
  { key: 'country', kind: 'text', description: 'Two letters' },
  { key: 'replay_type', kind: 'choice', description: 'session, or buffer: kept for an error' },
  { key: 'trace', kind: 'text', description: 'A trace of the visit' },
  { key: 'has', kind: 'key', description: 'The field is set at all' },
]

function summedField(name: string, isTag = false): SpanField {
  const field = isTag ? undefined : SUMMED.get(name)
  if (field) return field
  throw new SearchError(
    `replays have no "${name}"`,
    0,
    `Known are ${KEYS.map(({ key }) => key)
      .slice(0, 9)
      .join(', ')} and more; words alone are looked for in addresses and user names.`,
  )
}

export const REPLAY_SEARCH: SearchSubject = {
  fieldOf: summedField,
  textCondition: (pattern, bind) => {
    const like = bind(pattern)
    return `arrayExists(url -> url ILIKE ${like}, urls) OR user_name ILIKE ${like} OR replayId ILIKE ${like}`
  },
}

export const FEWER_REPLAYS: Narrowing = {
  what: 'replays',
  hint: 'Choose a shorter time, or narrow by release or environment.',
}

const ROW_FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ...VISIT,
  ['url', text('arrayJoin(urls)')],
  ['urls', text('arrayJoin(urls)')],
])

export const REPLAY_SUGGESTIONS: SuggestSubject = {
  table: 'replays',
  hasAttributes: false,
  // What is counted has no values to offer.
  fieldOf: (name, isTag) => (isTag ? undefined : ROW_FIELDS.get(name)),
  keys: KEYS,
  fixed: new Map([
    ['errors', [{ value: '>0', description: 'With errors' }]],
    ['rage_clicks', [{ value: '>0', description: 'With rage clicks' }]],
    ['dead_clicks', [{ value: '>0', description: 'With dead clicks' }]],
    [
      'duration',
      [
        { value: '>30s', description: 'Longer than half a minute' },
        { value: '>5m', description: 'Longer than five minutes' },
        { value: '<5s', description: 'Shorter than five seconds' },
      ],
    ],
    [
      'activity',
      [
        { value: '>=7', description: 'Much happened' },
        { value: '<3', description: 'Little happened' },
      ],
    ],
    [
      'replay_type',
      [
        { value: 'session', description: 'Sampled' },
        { value: 'buffer', description: 'Kept because of an error' },
      ],
    ],
  ]),
  notOffered: new Set(['trace', 'clicks', 'navigations', 'failed_requests', 'timestamp', 'started', 'id']),
}
