/** Reports that browsers send by themselves, from their item to events and outcomes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encodeIntakeRecord, type EnvelopeMeta } from '@sonde/log'
import { createEnvelope, serializeEnvelope } from '@sonde/protocol/envelope'
import { processRecord } from '../../src/process/process-record.ts'
import { DEFAULT_PROCESSING_SETTINGS } from '../../src/process/settings-history.ts'

const ID = '9ec79c33ec9942ab8353589fcb2e04dc'
const META: EnvelopeMeta = {
  v: 1,
  kind: 'envelope',
  receivedMs: 1_790_000_000_000,
  projectId: 3,
  keyId: 4,
  eventId: ID,
  clientIp: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
}

function digest(payload: unknown, position = 5) {
  const header = { type: 'raw_security', sentry_release: 'shop@2', sentry_environment: 'live' }
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const body = serializeEnvelope(createEnvelope({ event_id: ID }, [{ header, payload: text }]))
  const bytes = encodeIntakeRecord(META, body)
  return processRecord({ position, next: position + 9, bytes }, DEFAULT_PROCESSING_SETTINGS)
}
const ends = (payload: unknown): string[] =>
  digest(payload).outcomes.map((each) => `${each.category} ${each.outcome}:${each.reason} ×${each.quantity}`)
const violation = (blockedURL: string) => ({
  type: 'csp-violation',
  age: 10,
  url: 'https://shop.example/cart',
  body: {
    documentURL: 'https://shop.example/cart',
    effectiveDirective: 'img-src',
    blockedURL,
    disposition: 'enforce',
  },
})

for (const name of ['csp', 'csp_chrome', 'csp_chrome_blocked_asset', 'csp_firefox_blocked_asset'])
  test(`the report ${name} is an event of type csp, with who sent it and the release of its URL`, () => {
    const url = new URL(`../../../../fixtures/relay/security_report/${name}.input.json`, import.meta.url)
    const { events, outcomes, dead } = digest(readFileSync(url, 'utf8'))
    assert.deepEqual([outcomes, dead], [[], []])
    const [event, ...others] = events
    assert.deepEqual([event?.eventId, event?.category, event?.issue.type], [ID, 'security', 'csp'])
    assert.equal(others.length, 0)
    assert.equal(event?.issue.release, 'shop@2')
    const row = String(event?.row)
    for (const text of ['203.0.113.7', 'Firefox', 'live']) assert.ok(row.includes(text), text)
  })

test('each report of an array is an event of its own, whose id is the same each time', () => {
  const reports = [violation('https://a.example/1.png'), violation('https://b.example/1.png')]
  const { events, outcomes } = digest(reports)
  assert.deepEqual(outcomes, [])
  const [first, second] = events.map((event) => event.eventId)
  assert.equal(first, ID)
  assert.match(second ?? '', /^[0-9a-f]{32}$/)
  assert.notEqual(second, ID)
  // Sent to another place of the log, as a replay is.
  assert.deepEqual(
    digest(reports, 900).events.map((event) => event.eventId),
    [first, second],
  )
})

test('reports are one issue by directive and blocked host, whatever was blocked there', () => {
  const { events } = digest(
    ['https://a.example/1.png', 'https://a.example/2.png', 'https://b.example/1.png'].map(violation),
  )
  const [one, same, other] = events.map((event) => event.hashes[0])
  assert.equal(one, same)
  assert.notEqual(one, other)
})

test('what is no report of ours has an outcome all the same', () => {
  assert.deepEqual(ends([]), ['security invalid:bad_payload ×1'])
  assert.deepEqual(ends({}), ['security invalid:bad_payload ×1'])
  assert.deepEqual(ends('"text"'), ['security invalid:bad_payload ×1'])
  assert.deepEqual(ends('{"csp-'), ['security invalid:bad_json ×1'])
  const policy = { type: 'permissions-policy-violation', body: {} }
  assert.deepEqual(ends([policy, policy]), ['security unsupported:not_yet_shown ×2'])
  assert.deepEqual(ends([policy, violation('https://a.example/')]), ['security unsupported:not_yet_shown ×1'])
})

test('one item gives at most a hundred events, since the quota counted it once', () => {
  const reports = Array.from({ length: 130 }, (_, index) => violation(`https://a.example/${index}`))
  assert.equal(digest(reports).events.length, 100)
  assert.deepEqual(ends(reports), ['security invalid:too_many_items ×30'])
})
