import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { failureOf, judgeDraft, judgeShown, type Seen } from '../../src/navigation/history-verdict.ts'
import type { Navigation } from '../../src/navigation/timeline.ts'
import type { PageRequest } from '../../src/types.ts'

const request = (more: Partial<PageRequest>): PageRequest => ({
  kind: 'fetch',
  method: 'GET',
  url: '/api/items',
  start: 0,
  end: 30,
  status: 200,
  headers: new Headers(),
  ...more,
})
const failed = { status: 0, error: new TypeError('Failed to fetch') }
const nothing: Seen = { failure: undefined, isLoading: false, abortedMs: undefined }

describe('how a navigation ended that no router tells of', () => {
  before(() => {
    Object.assign(globalThis, { location: new URL('https://shop.example/') })
    Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
  })
  after(() => {
    delete (globalThis as { location?: unknown }).location
  })

  it('is failed when data of its own site is missing, and not known when something else is', () => {
    const outcome = (more: Partial<PageRequest>): string | undefined => {
      const found = failureOf(request(more))
      return found && `${found.outcome} ${found.reason}`
    }
    const other = 'https://api.example/items'
    assert.deepEqual(
      [
        outcome({}),
        outcome({ status: 503 }),
        outcome(failed),
        outcome({ kind: 'xhr', status: 0 }),
        outcome({ status: 404 }),
        outcome({ status: 503, method: 'POST' }),
        outcome({ status: 422, method: 'POST' }),
        outcome({ url: other, status: 503 }),
        outcome({ url: other, ...failed }),
      ],
      [
        undefined,
        'errored http_503',
        'errored network',
        'errored network',
        'unknown http_404',
        'unknown http_503',
        undefined,
        'unknown http_503',
        'unknown network',
      ],
    )
  })

  it('is no failure when a blocker stops what a page writes elsewhere, or the page gives a request up', () => {
    assert.equal(
      failureOf(request({ url: 'https://figures.example/', method: 'POST', ...failed })),
      undefined,
    )
    assert.equal(failureOf(request({ error: new DOMException('', 'AbortError') })), undefined)
  })

  it('is shown, superseded or not known by what came of the document', () => {
    const judged = (more: Partial<Navigation>, by?: 'next' | 'hide', seen: Partial<Seen> = {}): string => {
      const navigation = { commitMs: 5, isChanged: true, facts: {}, ...more } as Navigation
      const { outcome = 'committed', reason = '' } = judgeShown(navigation, by, { ...nothing, ...seen }) ?? {}
      return `${outcome} ${reason}`.trim()
    }
    const unseen = { commitMs: undefined } as unknown as Navigation
    assert.deepEqual(
      [
        judged({}),
        judged({}, 'next'),
        judged({}, 'next', { isLoading: true }),
        judged(unseen, 'next'),
        judged(unseen, 'hide'),
        judged({ isChanged: false }),
        judged({ isChanged: false, facts: { cache: 'bfcache' } as Navigation['facts'] }),
        judged({}, undefined, { failure: { outcome: 'errored', reason: 'chunk', atMs: 3 } }),
      ],
      [
        'committed',
        'committed',
        'superseded',
        'superseded',
        'unknown hidden',
        'unknown unchanged',
        'committed',
        'errored chunk',
      ],
    )
  })

  it('of a press alone is nothing unless it failed, was given up or was replaced while it waited', () => {
    const errored = { outcome: 'errored', reason: 'http_503', atMs: 3 } as const
    const outcomes = [
      judgeDraft('next', nothing),
      judgeDraft('next', { ...nothing, isLoading: true }),
      judgeDraft(undefined, { ...nothing, isLoading: true }),
      judgeDraft(undefined, { ...nothing, abortedMs: performance.now() }),
      judgeDraft('next', { ...nothing, abortedMs: performance.now() }),
      judgeDraft('next', { ...nothing, abortedMs: performance.now() - 500 }),
      judgeDraft('next', { ...nothing, failure: errored }),
      judgeDraft('next', { ...nothing, failure: { outcome: 'unknown', atMs: 3 } }),
    ].map((verdict) => verdict?.outcome)
    assert.deepEqual(outcomes, [
      undefined,
      'superseded',
      undefined,
      'aborted',
      'superseded',
      'aborted',
      'errored',
      undefined,
    ])
  })
})
