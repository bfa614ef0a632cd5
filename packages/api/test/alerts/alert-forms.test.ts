/** What Sentry's words become, and what they cannot become: table by table. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { InvalidInput } from '@sonde/commands'
import { checkEventSearch } from '@sonde/queries'
import { type FormItem, itemsOf } from '../../src/alert-forms/form.ts'
import { actionItemsOf, readActions } from '../../src/alert-forms/issue-actions.ts'
import { conditionsOf, readConditions } from '../../src/alert-forms/issue-conditions.ts'
import { filtersOf, readFilters } from '../../src/alert-forms/issue-filters.ts'
import { RuleCondition, RuleFilter } from '../../src/alert-forms/item-schemas.ts'
import { metricQueryOf, readMetricQuery } from '../../src/alert-forms/metric-query.ts'
import { ATTRIBUTE, EMAIL, FIRST_SEEN, FREQUENCY, LEVEL, REGRESSION, SLACK, TAGGED } from './bodies.ts'

const refused = (field: string, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof InvalidInput, String(error))
  assert.match(error.fields[field]?.join(' ') ?? '', words)
  return true
}

const HIGH = 'sentry.rules.conditions.high_priority_issue.NewHighPriorityIssueCondition'
const EVERY = 'sentry.rules.conditions.every_event.EveryEventCondition'

describe('lists of rules', () => {
  it('are kept as they were sent', () => {
    const sent = [{ name: 'seen', id: FREQUENCY, value: '10', interval: null, more: { of: [1] } }]
    assert.equal(itemsOf(sent, 'conditions', RuleCondition), sent)
    assert.deepEqual(itemsOf(null, 'conditions', RuleCondition), [])
  })

  it('have the fields that the document says', () => {
    assert.throws(
      () => itemsOf([{ id: FREQUENCY, value: true }], 'conditions', RuleCondition),
      refused('conditions', /"value" is of another type/),
    )
    assert.throws(
      () => itemsOf([{ value: 1 }], 'filters', RuleFilter),
      refused('filters', /each with an `id`/),
    )
  })
})

describe('conditions', () => {
  const read = (conditions: readonly FormItem[], match = 'any') => readConditions(conditions, match, 30)

  it('are triggers, and triggers are conditions again', () => {
    const conditions = [
      { id: FIRST_SEEN },
      { id: REGRESSION },
      { id: FREQUENCY, value: 10, comparisonType: 'count', interval: '15m' },
      { id: FREQUENCY, value: 0, comparisonType: 'count', interval: '1d' },
      { id: 'sonde.conditions.escalating', value: 10, comparisonType: 'count', interval: '1w' },
      { id: 'sonde.conditions.first_seen_in_release' },
      { id: 'sonde.conditions.first_seen_in_environment' },
    ]
    const { triggers } = read(conditions)
    assert.deepEqual(triggers.slice(2, 4), [
      { type: 'events', count: 10, minutes: 15 },
      { type: 'events', count: 0, minutes: 1_440 },
    ])
    assert.deepEqual(read(conditionsOf(triggers).filter(({ id }) => id !== EVERY)).triggers, [
      ...triggers.slice(0, 3),
      ...triggers.slice(4),
    ])
  })

  it('none, and every event, are one incident as long as events come', () => {
    const every = [{ type: 'events', count: 0, minutes: 30 }]
    assert.deepEqual(read([]).triggers, every)
    assert.deepEqual(read([{ id: EVERY }], 'all').triggers, every)
  })

  it('high priority is the two worst levels, alone', () => {
    assert.deepEqual(read([{ id: HIGH }]), { triggers: [{ type: 'new' }], search: 'level:[fatal, error]' })
    assert.throws(
      () => read([{ id: HIGH }, { id: FIRST_SEEN }]),
      refused('conditions', /cannot stand beside/),
    )
  })

  for (const [condition, words] of [
    [
      { id: 'sentry.rules.conditions.event_frequency.EventFrequencyPercentCondition' },
      /EventFrequencyPercentCondition is not supported/,
    ],
    [{ id: FREQUENCY, value: 10, comparisonType: 'percent', interval: '1h' }, /"comparisonType" percent/],
    [{ id: FREQUENCY, value: 10, interval: '30d' }, /longer than a week/],
    [{ id: FREQUENCY, value: 10, interval: 'soon' }, /for example 5m/],
    [{ id: FREQUENCY, value: -1, interval: '1h' }, /"value" is a whole number/],
    [{ id: FREQUENCY, value: [1], interval: '1h' }, /"value" is a whole number/],
    [{ id: '__proto__' }, /__proto__ is not supported/],
  ] as const)
    it(`${JSON.stringify(condition)} is refused in words`, () => {
      assert.throws(() => read([condition]), refused('conditions', words))
    })

  it('all of several are refused, all of one are any of it', () => {
    assert.deepEqual(read([{ id: FIRST_SEEN }], 'all').triggers, [{ type: 'new' }])
    assert.throws(
      () => read([{ id: FIRST_SEEN }, { id: REGRESSION }], 'all'),
      refused('actionMatch', /"all"/),
    )
  })
})

describe('filters', () => {
  const CATEGORY = 'sentry.rules.filters.issue_category.IssueCategoryFilter'
  const tag = (match: string, value?: string, key = 'browser.name') => ({
    id: TAGGED,
    key,
    match,
    ...(value !== undefined && { value }),
  })

  for (const [filters, match, search] of [
    [[], 'all', ''],
    [[{ id: LEVEL, level: '40', match: 'eq' }], 'all', 'level:error'],
    [[{ id: LEVEL, level: '30', match: 'gte' }], 'all', 'level:[fatal, error, warning]'],
    [[{ id: LEVEL, level: 20, match: 'lte' }], 'none', '!level:[info, debug]'],
    [[tag('eq', 'Safari')], 'all', 'tags[browser.name]:"Safari"'],
    [[tag('eq', 'prod', 'environment')], 'all', 'environment:"prod"'],
    [[tag('ne', 'a"b\\c*d')], 'all', String.raw`!tags[browser.name]:"a\"b\\c\*d"`],
    [[tag('co', 'a b'), tag('nsw', 'x')], 'all', 'tags[browser.name]:"*a b*" !tags[browser.name]:"x*"'],
    [[tag('ew', 'x'), tag('ns')], 'none', '!tags[browser.name]:"*x" has:tags[browser.name]'],
    [[tag('in', 'a, b'), tag('is')], 'all', 'tags[browser.name]:["a", "b"] has:tags[browser.name]'],
    [[tag('eq', 'a'), tag('eq', 'b')], 'any', 'tags[browser.name]:["a", "b"]'],
    [[{ id: ATTRIBUTE, attribute: 'exception.value', match: 'sw', value: 'x' }], 'all', 'error.value:"x*"'],
    [[{ id: CATEGORY, value: 1 }], 'all', 'issue.category:error'],
    [[{ id: CATEGORY, value: '6' }], 'none', '!issue.category:feedback'],
    [
      [
        { id: CATEGORY, value: 1 },
        { id: CATEGORY, value: 2 },
      ],
      'any',
      'issue.category:[error, performance]',
    ],
    [[{ id: 'sonde.filters.search', query: 'a b' }, tag('eq', 'x')], 'all', 'a b tags[browser.name]:"x"'],
  ] as const)
    it(`${match} of ${JSON.stringify(filters)} is ${search || 'no search'}`, () => {
      assert.equal(readFilters(filters, match), search)
      checkEventSearch(search)
    })

  for (const [filter, words] of [
    [
      { id: 'sentry.rules.filters.latest_release.LatestReleaseFilter' },
      /latest_release\.LatestReleaseFilter is not supported/,
    ],
    [
      { id: 'sentry.rules.filters.age_comparison.AgeComparisonFilter', value: 5 },
      /AgeComparisonFilter is not supported/,
    ],
    [
      { id: ATTRIBUTE, attribute: 'device.battery', match: 'eq', value: '1' },
      /device\.battery cannot be searched/,
    ],
    [{ id: TAGGED, key: 'a', match: 'constructor', value: '1' }, /constructor is not one of/],
    [{ id: TAGGED, key: 'a]b', match: 'eq', value: '1' }, /no "\]"/],
    [{ id: TAGGED, key: 'a', match: 'eq' }, /"value" is needed/],
    [{ id: LEVEL, level: '7', match: 'eq' }, /"level" is one of/],
  ] as const)
    it(`${JSON.stringify(filter)} is refused in words`, () => {
      assert.throws(() => readFilters([filter], 'all'), refused('filters', words))
    })

  it('any of different fields is refused', () => {
    const filters = [tag('eq', 'a'), { id: LEVEL, level: '40', match: 'eq' }]
    assert.throws(() => readFilters(filters, 'any'), refused('filterMatch', /different fields/))
    assert.throws(
      () => readFilters([tag('eq', 'a'), tag('ne', 'b')], 'any'),
      refused('filterMatch', /different fields/),
    )
  })

  it('a search is filters where these can say it, and reads back as the same', () => {
    const said = 'environment:prod !level:[debug, info] has:release tags[tier]:plus'
    assert.deepEqual(
      filtersOf(said).map(({ id, ...rest }) => (assert.equal(id, TAGGED), Object.values(rest).join(' '))),
      ['environment eq prod', 'level nin debug,info', 'release is', 'tier eq plus'],
    )
    for (const search of [
      'x is undefined',
      'error.type:TypeError',
      'release:shop@2.*',
      'browser.name:Safari',
    ])
      assert.deepEqual(filtersOf(search), [{ id: 'sonde.filters.search', query: search }])
    const back = readFilters(filtersOf(said), 'all')
    assert.equal(back, 'environment:"prod" !level:["debug", "info"] has:release tags[tier]:"plus"')
    assert.deepEqual(filtersOf(back), filtersOf(said))
  })
})

describe('actions', () => {
  const directory = {
    channels: [
      { id: 3, kind: 'slack' as const, name: '#Ops' },
      { id: 4, kind: 'webhook' as const, name: 'Deploys' },
      { id: 5, kind: 'pagerduty' as const, name: 'On call' },
      { id: 6, kind: 'slack_app' as const, name: 'app' },
    ],
    trackers: [
      { id: 7, kind: 'github' as const, name: 'Shop', places: ['acme/shop'] },
      { id: 8, kind: 'linear' as const, name: 'One', places: ['ONE'] },
      { id: 9, kind: 'linear' as const, name: 'Two', places: ['TWO'] },
    ],
    members: [{ userId: 'u1', email: 'ann@acme.test' }],
    teams: [{ id: 7, slug: 'web' }],
  }
  const read = (...actions: readonly FormItem[]) => readActions(actions, directory)

  it('name channels by id or name, and people by id or address', () => {
    assert.deepEqual(read({ id: SLACK, workspace: '3', channel: '#other' }), [
      { type: 'channel', channelId: 3 },
    ])
    assert.deepEqual(read({ id: SLACK, workspace: 6, channel: '' }), [{ type: 'channel', channelId: 6 }])
    assert.deepEqual(read({ id: SLACK, workspace: '99', channel: 'ops' }), [
      { type: 'channel', channelId: 3 },
    ])
    const mail = (targetType: string, more: object = {}) => ({ id: EMAIL, targetType, ...more })
    const both = read(
      mail('Member', { targetIdentifier: 'u1' }),
      mail('Member', { targetIdentifier: 'Ann@acme.test' }),
    )
    assert.deepEqual(both, [{ type: 'person', userId: 'u1' }])
    for (const targetIdentifier of [7, 'web', '#Web'])
      assert.deepEqual(read(mail('Team', { targetIdentifier })), [{ type: 'team', teamId: 7 }])
    assert.deepEqual(actionItemsOf([{ type: 'team', teamId: 7 }], directory), [
      { id: EMAIL, targetType: 'Team', targetIdentifier: '7' },
    ])
    const owners = { type: 'issue_owners' }
    assert.deepEqual(read(mail('IssueOwners'), mail('RuleOwner')), [owners, { type: 'owner' }])
    for (const [fallthroughType, otherwise] of [
      ['AllMembers', 'members'],
      ['ActiveMembers', 'active'],
      ['NoOne', 'nobody'],
    ])
      assert.deepEqual(read(mail('IssueOwners', { fallthroughType })), [{ ...owners, otherwise }])
    const service = {
      id: 'sentry.rules.actions.notify_event_service.NotifyEventServiceAction',
      service: 'deploys',
    }
    assert.deepEqual(read(service), [{ type: 'channel', channelId: 4 }])
    const github = 'sentry.integrations.github.notify_action.GitHubCreateTicketAction'
    for (const named of [{}, { integration: 7 }, { integration: 'Shop', repo: 'acme/shop', title: 'x' }])
      assert.deepEqual(read({ id: github, ...named }), [{ type: 'tracker', trackerId: 7 }])
  })

  for (const [action, words] of [
    [
      { id: SLACK, workspace: '4', channel: '#no' },
      /no channel of the kind slack or slack_app: there are 3 \(#Ops\), 6 \(app\)/,
    ],
    [
      { id: 'sentry.integrations.discord.notify_action.DiscordNotifyServiceAction', server: 1 },
      /there is none yet/,
    ],
    [{ id: EMAIL, targetType: 'Team', targetIdentifier: '1' }, /neither id nor slug of a team/],
    [{ id: EMAIL, targetType: 'IssueOwners', fallthroughType: 'Some' }, /AllMembers, ActiveMembers, NoOne/],
    [{ id: EMAIL, targetType: 'Member', targetIdentifier: 'bob' }, /"bob" is neither/],
    [
      { id: 'sentry.integrations.jira.notify_action.JiraCreateTicketAction' },
      /"integration" names no jira tracker: there is none yet/,
    ],
    [
      { id: 'sonde.integrations.linear.notify_action.LinearCreateTicketAction' },
      /"integration" names no linear tracker: there are 8 \(One\), 9 \(Two\)/,
    ],
    [
      { id: 'sentry.integrations.azure.notify_action.AzureDevopsCreateTicketAction' },
      /AzureDevopsCreateTicketAction is not supported/,
    ],
  ] as const)
    it(`${JSON.stringify(action)} is refused in words`, () => {
      assert.throws(() => read(action), refused('actions', words))
    })

  it('are written so that they read back as they were', () => {
    const actions = [
      { type: 'members' as const },
      { type: 'owner' as const },
      { type: 'person' as const, userId: 'u1' },
      ...directory.channels.map(({ id }) => ({ type: 'channel' as const, channelId: id })),
      ...directory.trackers.map(({ id }) => ({ type: 'tracker' as const, trackerId: id })),
    ]
    assert.deepEqual(read(...actionItemsOf(actions, directory)), actions)
    assert.deepEqual(actionItemsOf([{ type: 'channel', channelId: 99 }], directory), [])
    assert.deepEqual(actionItemsOf([{ type: 'tracker', trackerId: 99 }], directory), [])
  })
})

describe('what a metric alert rule watches', () => {
  for (const [dataset, aggregate, query, ...expected] of [
    ['events', 'count()', 'event.type:error level:fatal', 'errors', 'count()', 'level:fatal'],
    ['events', 'count()', '(event.type:error OR event.type:default) AND is:x', 'errors', 'count()', 'is:x'],
    ['events', 'count_unique(tags[sentry:user])', '', 'errors', 'count_unique(user)', ''],
    [
      'transactions',
      'p95(transaction.duration)',
      'event.type:transaction transaction:/cart',
      'spans',
      'p95(transaction.duration)',
      'is_transaction:true transaction:/cart',
    ],
    [
      'transactions',
      'percentile(transaction.duration,0.9)',
      '',
      'spans',
      'p90(transaction.duration)',
      'is_transaction:true',
    ],
    ['generic_metrics', 'failure_rate()', '', 'spans', 'failure_rate()', 'is_transaction:true'],
    [
      'generic_metrics',
      'p75(measurements.lcp)',
      'transaction:/cart',
      'vitals',
      'p75(lcp)',
      'transaction:/cart',
    ],
    [
      'events_analytics_platform',
      'p75(span.duration)',
      'span.op:db',
      'spans',
      'p75(span.duration)',
      'span.op:db',
    ],
    ['sonde.navigations', 'hung()', 'route:/cart', 'navigations', 'hung()', 'route:/cart'],
    ['sonde.prefetches', 'per_minute()', 'route:/cart', 'prefetches', 'per_minute()', 'route:/cart'],
    ['sonde.prefetches', 'server_share()', '', 'prefetches', 'server_share()', ''],
    ['sonde.logs', 'count()', 'severity:error refused', 'logs', 'count()', 'severity:error refused'],
    [
      'sonde.sessions',
      'crash_free_rate(user)',
      'release:shop@1',
      'sessions',
      'crash_free_rate(user)',
      'release:shop@1',
    ],
  ] as const)
    it(`${aggregate} of ${dataset}: ${query}`, () => {
      const metric = readMetricQuery({ dataset, aggregate, query }, [])
      assert.deepEqual([metric.source, metric.measure, metric.search], expected)
      assert.deepEqual(readMetricQuery(metricQueryOf(metric), []), metric)
    })

  for (const [dataset, aggregate, field, words] of [
    [
      'sessions',
      'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
      'aggregate',
      /"sonde\.sessions" it is crash_free_rate\(session\)/,
    ],
    ['metrics', 'apdex(300)', 'aggregate', /apdex\(\) is not supported/],
    ['events', 'p95(x)', 'aggregate', /it is count\(\) or count_unique\(user\)/],
    ['transactions', 'p95(measurements.lcp)', 'aggregate', /p75\(measurements\.lcp\)/],
    ['sonde.nothing', 'count()', 'dataset', /is not known/],
  ] as const)
    it(`${aggregate} of ${dataset} is refused in words`, () => {
      assert.throws(() => readMetricQuery({ dataset, aggregate, query: '' }, []), refused(field, words))
    })
})
