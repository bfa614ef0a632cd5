import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AnyRule,
  ISSUE_RULE,
  METRIC_RULE,
  type MetricRuleInput,
  RELEASE_RULE,
  RULES,
} from '@sonde/alerts'
import { fieldsOf } from '../../src/parts/forms/posted-fields.ts'
import {
  draftOf,
  emptyDraft,
  postedDraft,
  type RuleDraft,
  ruleOf,
  startedDraft,
} from '../../src/routes/[org]/[project]/alerts/rule-draft.ts'
import { ruleWords, scheduleWords, tellsWords } from '../../src/routes/[org]/[project]/alerts/rule-words.ts'

const actions = [
  { type: 'members' as const },
  { type: 'channel' as const, channelId: 3 },
  { type: 'person' as const, userId: 'ann' },
]
const levels: AnyRule = {
  kind: 'issue',
  rule: ISSUE_RULE.parse({
    triggers: [{ type: 'first_seen_in_release' }, { type: 'first_seen_in_environment' }],
    search: 'level:[fatal, error] release:shop@2.*',
    environment: 'production',
    ownerId: 'ann',
    actions: [{ type: 'owner' }],
  }),
}
const schedule = { timeZone: 'Europe/Berlin', days: [1, 5], fromMinute: 540, toMinute: 90 }
const issue: AnyRule = {
  kind: 'issue',
  rule: ISSUE_RULE.parse({
    triggers: [
      { type: 'new' },
      { type: 'events', count: 5, minutes: 10 },
      { type: 'events', count: 100, minutes: 1_440 },
      { type: 'users', count: 2, minutes: 60 },
    ],
    search: 'environment:production',
    coolDownMinutes: 0,
    actions,
    schedule,
  }),
}
const release: AnyRule = {
  kind: 'release',
  rule: RELEASE_RULE.parse({
    begins: 'deploy',
    afterMinutes: 30,
    isEarly: true,
    tells: ['worse', 'better'],
    actions,
  }),
}
const metric = (more: Partial<MetricRuleInput> = {}): AnyRule => ({
  kind: 'metric',
  rule: METRIC_RULE.parse({
    metric: { source: 'navigations', measure: 'failure_rate()', search: 'to_route:/cart' },
    windowMinutes: 60,
    trigger: 0.07,
    resolve: 0.033,
    minSample: 20,
    actions,
    ...more,
  } satisfies MetricRuleInput),
})
const spans = metric({
  metric: { source: 'spans', measure: 'p95(span.duration)', search: '' },
  trigger: 1_500,
  resolve: null,
  direction: 'below',
})
const change = metric({ compare: 'change', trigger: -50, resolve: null, direction: 'below' })
const anomaly = metric({ compare: 'anomaly', trigger: 0, resolve: null, sensitivity: 'high' })

/** As a browser posts the form. */
function posted(draft: RuleDraft) {
  const form = new FormData()
  const lists = {
    change: draft.changes,
    level: draft.levels,
    channelId: draft.channelIds,
    userId: draft.userIds,
    day: draft.days,
    tells: draft.tells,
  }
  for (const [name, value] of Object.entries(draft)) if (typeof value === 'string') form.set(name, value)
  for (const [name, values] of Object.entries(lists)) for (const value of values) form.append(name, value)
  for (const { type, count, minutes } of draft.counted) {
    form.append('countedType', type)
    form.append('countedCount', count)
    form.append('countedMinutes', minutes)
  }
  for (const name of ['members', 'owner', 'isScheduled', 'isEarly'] as const)
    if (draft[name]) form.set(name, 'on')
  return postedDraft(fieldsOf(form))
}

test('a rule goes through the form unchanged', () => {
  for (const rule of [issue, levels, metric(), spans, change, anomaly, release]) {
    const draft = draftOf('Rule', rule)
    assert.deepEqual(posted(draft), draft)
    const back = ruleOf(posted(draft))
    assert.deepEqual(RULES[rule.kind].parse(back.rule), rule.rule)
  }
})

test('levels have boxes of their own, as long as the search names them as these do', () => {
  const { levels: boxes, query } = draftOf('Rule', levels)
  assert.deepEqual([boxes, query], [['fatal', 'error'], 'release:shop@2.*'])
  for (const search of ['level:error x', 'level:[error, odd] x', 'x level:[error]']) {
    const draft = draftOf('Rule', { ...levels, rule: { ...levels.rule, search } })
    assert.deepEqual([draft.levels, draft.query], [[], search])
  }
})

test('people type per cent, and large numbers as they write them', () => {
  const draft = { ...draftOf('Rule', metric()), trigger: '12,5', resolve: '' }
  const { rule } = ruleOf(draft) as { rule: { trigger: number; resolve: number | null } }
  assert.deepEqual([rule.trigger, rule.resolve], [0.125, null])
  const slow = ruleOf({ ...draftOf('Rule', spans), trigger: '1,500' }) as { rule: { trigger: number } }
  assert.equal(slow.rule.trigger, 1_500)
  const problem = RULES.metric.safeParse(ruleOf({ ...draft, trigger: 'much' }).rule)
  assert.deepEqual(problem.error?.issues[0]?.path, ['trigger'])
})

test('what a new rule begins with can be stored as it is', () => {
  for (const kind of ['issue', 'metric'] as const)
    assert.ok(RULES[kind].safeParse(ruleOf(emptyDraft(kind)).rule).success, kind)
})

test('a rule in words', () => {
  assert.equal(
    ruleWords(issue),
    'An issue is new, has more than 5 events in 10 minutes, has more than 100 events in 1 day or affects more than 2 users in 1 hour',
  )
  assert.equal(
    ruleWords(metric()),
    'Share of navigations that failed, hung or were left in 1 hour is above 7 %',
  )
  assert.match(ruleWords(change), /is below -50 % of the week before$/)
  assert.match(ruleWords(anomaly), /is unusually high$/)
  const trackers = [{ id: 4, name: 'Shop' }]
  const names = {
    channels: [{ id: 3, name: 'Ops' }],
    trackers,
    members: [{ userId: 'bob', name: 'Bob' }],
    teams: [{ id: 7, name: 'Web' }],
  }
  assert.equal(tellsWords(issue.rule, names), 'all members and Ops')
  assert.equal(
    tellsWords({ actions: [{ type: 'issue_owners', otherwise: 'members' }] }, names),
    'owners of the issue, else all members',
  )
  assert.equal(tellsWords({ actions: [{ type: 'tracker', trackerId: 4 }] }, names), 'Shop, by an issue')
  assert.equal(
    tellsWords({ actions: [{ type: 'person', userId: 'ann' }] }, names),
    'nobody: whom it told is gone',
  )
  assert.equal(
    ruleWords(levels),
    'An issue is first seen in a release or is first seen in an environment, in production',
  )
  assert.equal(tellsWords(levels.rule, names), 'nobody: whom it told is gone')
  assert.equal(tellsWords({ ...levels.rule, ownerId: 'bob' }, names), 'its owner')
  assert.equal(scheduleWords(schedule), 'Mon, Fri 09:00–01:30 Europe/Berlin')
})

test('another screen begins a rule by its address, and nothing else', () => {
  const params = new URLSearchParams({
    kind: 'metric',
    metric: 'vitals|p75(lcp)',
    query: 'route:/cart',
    trigger: '2500',
    environment: 'production',
    members: '',
    ownerId: 'somebody',
  })
  assert.deepEqual(startedDraft(params), {
    ...emptyDraft('metric'),
    metric: 'vitals|p75(lcp)',
    query: 'route:/cart',
    trigger: '2500',
    environment: 'production',
  })
  const long = new URLSearchParams({ query: 'x'.repeat(5_000), name: 'n'.repeat(300) })
  assert.deepEqual(startedDraft(long), { ...emptyDraft('issue'), name: 'n'.repeat(100) })
})

test('whom issues are assigned to comes back from the form as it is stored, and is said in words', () => {
  for (const [assigned, words] of [
    [{ isNot: false, to: [''] }, /, assigned to nobody$/],
    [{ isNot: true, to: [''] }, /, assigned to somebody$/],
    [{ isNot: true, to: ['', 'user:u1', 'team:7'] }, /, not of certain assignees$/],
  ] as const) {
    const rule = { ...issue.rule, assigned: { isNot: assigned.isNot, to: [...assigned.to] } }
    const again = RULES.issue.parse(ruleOf(draftOf('Rule', { ...issue, rule })).rule)
    assert.deepEqual(again.assigned, assigned)
    assert.match(ruleWords({ ...issue, rule }), words)
  }
  const problem = RULES.issue.safeParse(ruleOf({ ...emptyDraft('issue'), assigned: 'one' }).rule)
  assert.equal(problem.error?.issues[0]?.path[0], 'assigned')
})
