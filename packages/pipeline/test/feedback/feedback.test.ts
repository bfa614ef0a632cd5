/** What people write: an issue for each, linked to its event, and never lost to a rule against spam. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { spamOfText } from '../../src/feedback/spam.ts'
import { errorEnvelope, eventIdOf, type Harness, openHarness, until } from '../commit/harness.ts'

let harness: Harness

function envelope(id: number, item: object, type = 'feedback'): string {
  const payload = JSON.stringify(item)
  return `{"event_id":"${eventIdOf(id)}"}\n{"type":"${type}","length":${Buffer.byteLength(payload)}}\n${payload}\n`
}
const feedback = (id: number, message: string, more: object = {}): string =>
  envelope(id, { contexts: { feedback: { message, contact_email: 'ada@example.com', ...more } } })
const report = (id: number, comments: string): string =>
  envelope(id, { event_id: eventIdOf(id), name: 'Ada', email: 'ada@example.com', comments }, 'user_report')

async function processed(project: number, envelopes: readonly string[]) {
  for (const each of envelopes) await harness.append(project, each)
  const pipeline = await harness.start()
  await until(() => pipeline.state().records >= envelopes.length, 'everything is done', 30_000)
  await pipeline.stop()
  return harness.records
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', project)
    .orderBy('id')
    .execute()
}

describe('feedback', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('is an issue of its own, also with equal words', async () => {
    const project = await harness.createProject('alone')
    const issues = await processed(project, [
      feedback(1, 'the button is too small'),
      feedback(2, 'the button is too small', { contact_email: 'bob@example.com' }),
    ])
    assert.deepEqual(
      issues.map(({ type, title, status }) => [type, title, status]),
      [
        ['feedback', 'User Feedback: the button is too small', 'unresolved'],
        ['feedback', 'User Feedback: the button is too small', 'unresolved'],
      ],
    )
    assert.equal((await harness.outcomes(project))['feedback/accepted/'], 2)
  })

  it('of older SDKs names its event, which may come before or after it; the same report again is one', async () => {
    const project = await harness.createProject('reports')
    const issues = await processed(project, [
      report(10, 'before the event'),
      errorEnvelope(10, 'Late'),
      errorEnvelope(11, 'Early'),
      report(11, 'after the event'),
      report(11, 'after the event'),
    ])
    const reports = issues.filter(({ type }) => type === 'feedback')
    assert.deepEqual(
      reports.map(({ metadata }) => {
        const said = JSON.parse(metadata) as Record<string, string>
        return [said['message'], said['name'], said['contact_email'], said['associated_event_id']]
      }),
      [
        ['before the event', 'Ada', 'ada@example.com', eventIdOf(10)],
        ['after the event', 'Ada', 'ada@example.com', eventIdOf(11)],
      ],
    )
    const outcomes = await harness.outcomes(project)
    assert.equal(outcomes['user_report_v2/accepted/'], 2)
    assert.equal(outcomes['user_report_v2/invalid/duplicate_event'], 1)
  })

  it('that looks like spam is kept with the reason, and nobody is told', async () => {
    const project = await harness.createProject('spam')
    const flood = Array.from({ length: 12 }, (_, at) =>
      feedback(40 + at, `words ${at}`, { contact_email: 'x@example.com' }),
    )
    const issues = await processed(project, [
      feedback(30, ' a '),
      feedback(31, 'see https://a.example http://b.example https://c.example http://d.example'),
      feedback(32, 'It does not work'),
      feedback(33, 'it does not work '),
      ...flood,
    ])
    const reasons = issues.map(({ status, metadata }) => [
      status,
      (JSON.parse(metadata) as Record<string, string>)['spam'],
    ])
    assert.deepEqual(reasons.slice(0, 4), [
      ['ignored', 'empty'],
      ['ignored', 'links'],
      ['unresolved', undefined],
      ['ignored', 'repeated'],
    ])
    assert.deepEqual(
      reasons.slice(4).map(([, spam]) => spam),
      [...Array.from({ length: 10 }, () => undefined), 'rate', 'rate'],
    )
    const told = await harness.records
      .selectFrom('issue_change')
      .select('issue_id')
      .where('project_id', '=', project)
      .where('kind', '=', 'new')
      .execute()
    assert.equal(told.length, 11)
  })
})

describe('the rule for one text', () => {
  it('refuses nothing that is a sentence', () => {
    assert.equal(spamOfText('ok'), undefined)
    assert.equal(spamOfText('see https://a.example/b'), undefined)
    assert.equal(spamOfText(undefined), 'empty')
    assert.equal(spamOfText('http://'.repeat(100_000)), 'links')
  })
})
