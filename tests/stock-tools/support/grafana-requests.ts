/**
 * The requests of Grafana's Sentry data source (github.com/grafana/sentry-datasource, cdb55dea of 30 June 2026), and what it decodes
 * of the answers. Go's decoder takes a field that is absent or null, and fails for one of another type: so does `misfit`.
 */

/** `time` as RFC 3339, `whole` a number without a fraction. */
export type Shape =
  | 'string'
  | 'number'
  | 'whole'
  | 'boolean'
  | 'time'
  | 'any'
  | readonly [Shape]
  | { readonly [name: string]: Shape }

/** Where the first difference is; undefined: Go decodes it. */
export function misfit(value: unknown, shape: Shape, at = '$'): string | undefined {
  if (value === null || value === undefined || shape === 'any') return undefined
  if (typeof shape === 'string') return fits(value, shape) ? undefined : `${at} is no ${shape}`
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${at} is no list`
    return value.map((each, index) => misfit(each, shape[0] as Shape, `${at}[${index}]`)).find(Boolean)
  }
  if (typeof value !== 'object' || Array.isArray(value)) return `${at} is no object`
  return Object.entries(shape)
    .map(([name, inner]) => misfit((value as Record<string, unknown>)[name], inner, `${at}.${name}`))
    .find(Boolean)
}

function fits(value: unknown, shape: 'string' | 'number' | 'whole' | 'boolean' | 'time'): boolean {
  if (shape === 'whole') return Number.isInteger(value)
  if (shape === 'time')
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
  return typeof value === shape
}

const NAMED = { id: 'string', name: 'string', slug: 'string' } as const

const PROJECT = {
  ...NAMED,
  dateCreated: 'time',
  hasAccess: 'boolean',
  isBookmarked: 'boolean',
  isMember: 'boolean',
  environments: ['string'],
  team: NAMED,
  teams: [NAMED],
} as const satisfies Shape

const ISSUE = {
  id: 'string',
  shortId: 'string',
  title: 'string',
  count: 'string',
  userCount: 'whole',
  status: 'string',
  substatus: 'string',
  level: 'string',
  type: 'string',
  platform: 'string',
  firstSeen: 'time',
  lastSeen: 'time',
  culprit: 'string',
  hasSeen: 'boolean',
  isUnhandled: 'boolean',
  permalink: 'string',
  isPublic: 'boolean',
  project: { ...NAMED, platform: 'string' },
  metadata: { value: 'string', type: 'string', filename: 'string', function: 'string' },
  numComments: 'whole',
  assignedTo: { email: 'string', type: 'string', id: 'string', name: 'string' },
  isBookmarked: 'boolean',
  isSubscribed: 'boolean',
  subscriptionDetails: { reason: 'string' },
} as const satisfies Shape

const QUANTITIES = { 'sum(times_seen)': 'whole', 'sum(quantity)': 'whole' } as const

export type GrafanaRequest = {
  readonly what: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly shape: Shape
}

/** `from` and `to` in Unix milliseconds. */
export function grafanaRequests(projectId: string, from: number, to: number): readonly GrafanaRequest[] {
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19)
  const window = {
    query: '',
    start: text(from),
    end: text(to),
    project: projectId,
    environment: 'production',
  }
  const zoned = { ...window, start: `${text(from)}Z`, end: `${text(to)}Z`, partial: '1' }
  return [
    {
      what: 'organizations',
      path: '',
      shape: [{ ...NAMED, dateCreated: 'time', isEarlyAdopter: 'boolean', require2FA: 'boolean' }],
    },
    { what: 'projects', path: 'acme/projects/', shape: [PROJECT] },
    {
      what: 'teams',
      path: 'acme/teams/',
      shape: [{ ...NAMED, dateCreated: 'time', memberCount: 'whole', projects: [PROJECT] }],
    },
    { what: 'tags', path: 'acme/tags/', shape: [{ key: 'string', name: 'string', totalValues: 'whole' }] },
    {
      what: 'attributes of spans',
      path: 'acme/trace-items/attributes/',
      query: { attributeType: 'number', itemType: 'spans' },
      shape: [{ key: 'string', name: 'string' }],
    },
    {
      what: 'issues',
      path: 'acme/issues/',
      query: { ...window, sort: 'freq', limit: '10000' },
      shape: [ISSUE],
    },
    {
      what: 'events',
      path: 'acme/events/',
      query: {
        ...window,
        sort: '-last_seen()',
        per_page: '100',
        field: [
          'id',
          'title',
          'project',
          'project.id',
          'release',
          'count()',
          'epm()',
          'last_seen()',
          'level',
        ],
      },
      shape: { data: [{ title: 'string', 'count()': 'number', 'last_seen()': 'time' }] },
    },
    {
      what: 'events over time',
      path: 'acme/events-stats/',
      query: {
        ...zoned,
        interval: '30m',
        excludeOther: '1',
        topEvents: '5',
        field: ['title', 'count()'],
        yAxis: 'count()',
      },
      shape: { 'TypeError: x is refused': { data: ['any'], order: 'whole' } },
    },
    {
      what: 'spans',
      path: 'acme/events/',
      query: {
        ...window,
        dataset: 'spans',
        useRpc: '1',
        per_page: '100',
        field: ['id', 'span.op', 'span.duration'],
      },
      shape: { data: [{ 'span.op': 'string', 'span.duration': 'number' }] },
    },
    {
      what: 'spans over time',
      path: 'acme/events-stats/',
      query: {
        ...zoned,
        dataset: 'spans',
        excludeOther: '0',
        sampling: 'NORMAL',
        topEvents: '5',
        field: ['span.op', 'count(span.duration)'],
        yAxis: 'count(span.duration)',
        sort: '-count(span.duration)',
      },
      shape: { db: { data: ['any'], order: 'whole' } },
    },
    {
      what: 'statistics',
      path: 'acme/stats_v2/',
      query: {
        start: text(from),
        end: text(to),
        interval: '1h',
        category: ['error', 'transaction'],
        field: ['sum(quantity)', 'sum(times_seen)'],
        groupBy: ['outcome', 'category', 'reason'],
        project: projectId,
      },
      shape: {
        start: 'time',
        end: 'time',
        intervals: ['time'],
        groups: [
          {
            by: { reason: 'string', category: 'string', outcome: 'string' },
            totals: QUANTITIES,
            series: { 'sum(times_seen)': ['whole'], 'sum(quantity)': ['whole'] },
          },
        ],
      },
    },
  ]
}
