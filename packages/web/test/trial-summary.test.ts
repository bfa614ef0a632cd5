import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addPage,
  summarize,
  type TrialPage,
} from '../src/routes/[org]/[project]/settings/grouping/trial-summary.ts'

const grouped = (hash: string, rule?: string) => ({
  hash,
  title: `title ${hash}`,
  rule,
  fingerprint: rule === undefined ? 'stacktrace' : hash,
  changedFrames: 0,
})

/** `1:a>b` is an event of issue 1 whose hash was a and would be b; `b!` by a rule. */
const page = (events: string, more: Partial<TrialPage> = {}): TrialPage => ({
  events: events.split(' ').map((event, at) => {
    const [issueId, hashes = ''] = event.split(':')
    const [before = '', now = ''] = hashes.split('>')
    const rule = now.endsWith('!') ? 'a rule' : undefined
    return {
      eventId: String(at),
      issueId: Number(issueId),
      timestampMs: 0,
      before: grouped(before),
      now: grouped(now.replace('!', ''), rule),
    }
  }),
  issues: [1, 2, 3].map((id) => ({ id, shortId: `SHOP-${id}`, title: `issue ${id}` })),
  owners: {},
  next: undefined,
  keepsIssues: false,
  ...more,
})

const words = (trial: TrialPage): string[] => {
  const { merges, splits, moves } = summarize(trial)
  return [
    ...merges.map(
      ({ into, issues }) => `${issues.map(({ id }) => id).join('+')} → ${into.owner?.id ?? into.hash}`,
    ),
    ...splits.map(
      ({ issue, into }) => `${issue.id} → ${into.map(({ owner, hash }) => owner?.id ?? hash).join(' | ')}`,
    ),
    ...moves.map(({ issue, into }) => `${issue.id} moves to ${into.hash}`),
  ]
}

describe('a trial says', () => {
  it('nothing where nothing changes, also of issues that people merged', () =>
    assert.deepEqual(words(page('1:a>a 1:b>b 2:c>c', { owners: { a: 1, b: 1, c: 2 } })), []))
  it('which issues merge, in a new one or in one that is there', () => {
    assert.deepEqual(words(page('1:a>x! 2:b>x!')), ['1+2 → x', '1 moves to x', '2 moves to x'])
    assert.deepEqual(words(page('1:a>c! 3:c>c', { owners: { c: 3 } })), ['1+3 → 3'])
    assert.deepEqual(words(page('1:a>c!', { owners: { c: 3 } })), ['1+3 → 3'])
  })
  it('which issues split', () =>
    assert.deepEqual(words(page('1:a>x! 1:a>a', { owners: { a: 1 } })), ['1 → x | 1']))
  it('of another version only what one hash becomes, since issues are kept', () => {
    const moving = { keepsIssues: true }
    assert.deepEqual(words(page('1:a>x 1:b>y 2:c>z', moving)), [])
    assert.deepEqual(words(page('1:a>x 1:a>y 2:c>y', moving)), ['1+2 → y', '1 → x | y'])
  })
  it('which rules matched, the most frequent first, over all pages', () => {
    const all = addPage(page('1:a>x! 1:a>y!'), page('2:b>b', { next: 'on' }))
    const { rules, tried, changed } = summarize(all)
    assert.deepEqual(rules, [{ rule: 'a rule', events: 2, fingerprints: ['x', 'y'] }])
    assert.deepEqual([tried, changed, all.next], [3, 2, 'on'])
  })
})
