/**
 * What the shops in `node/`, `python/` and `go/` report alike: a chained error, a message, two messages under one
 * fingerprint, and an error that nobody catches; with user, tag, context and two breadcrumbs on each.
 */
import assert from 'node:assert/strict'
import {
  breadcrumbs,
  type EventDetail,
  type Frame,
  type Issue,
  issuesOnceThere,
  issueTitled,
} from './api-shapes.ts'
import type { Harness } from './harness.ts'

export type ShopIds = {
  readonly chained: string
  readonly message: string
  readonly fingerprinted: readonly [string, string]
  /** Of the transaction `checkout`, whose only child is `charge`. */
  readonly trace: string
}
export type SentWith = {
  readonly sdk: { readonly name: string; readonly version: string }
  readonly environment: string
}

export const SHOP_EVENTS = 5

export type ShopIssues = {
  readonly chained: Issue
  readonly message: Issue
  readonly fingerprinted: Issue
  readonly uncaught: Issue
}

/** Four issues and not one more; the two fingerprinted messages share theirs. */
export async function shopIssues(
  harness: Harness,
  titles: { readonly chained: string; readonly uncaught: string },
): Promise<ShopIssues> {
  const all = await issuesOnceThere(harness, SHOP_EVENTS)
  assert.equal(all.size, 4, [...all.keys()].join(' | '))
  const fingerprinted = [...all.values()].find((issue) => issue.count === '2')
  assert.ok(fingerprinted, 'the fingerprint holds two events together')
  return {
    chained: issueTitled(all, titles.chained),
    message: issueTitled(all, 'The nightly import took long'),
    fingerprinted,
    uncaught: issueTitled(all, titles.uncaught),
  }
}

/** What was set once on the SDK's scope arrives with an event, under the names of `/api/0`. */
export function assertScope(event: EventDetail, { sdk, environment }: SentWith): void {
  assert.deepEqual(event.sdk, sdk)
  assert.equal(event.release?.version, 'shop@1.4.2')
  assert.equal(event.environment, environment)
  assert.ok(Math.abs(Date.now() - Date.parse(event.dateCreated)) < 5 * 60_000, event.dateCreated)
  const { id, email, username } = event.user ?? {}
  assert.deepEqual({ id, email, username }, { id: '42', email: 'ada@example.com', username: 'ada' })
  const { items, total } = event.contexts['cart'] ?? {}
  assert.deepEqual({ items, total }, { items: 3, total: 59.9 })
  assertTags(event, { region: 'eu-west', environment, release: 'shop@1.4.2' })
  const own = breadcrumbs(event).filter((crumb) => crumb.category?.startsWith('shop.'))
  assert.deepEqual(
    own.map(({ category, message, level, data }) => ({ category, message, level, data })),
    [
      { category: 'shop.cart', message: 'put sku 4711 into the cart', level: 'info', data: null },
      { category: 'shop.pay', message: 'card was asked for', level: 'warning', data: { attempt: 2 } },
    ],
  )
}

export function assertTags(event: EventDetail, wanted: Readonly<Record<string, string>>): void {
  const tags = Object.fromEntries(event.tags.map(({ key, value }) => [key, value]))
  for (const [key, value] of Object.entries(wanted)) assert.equal(tags[key], value, `tag ${key}`)
}

/** The line that the frame stands on, from the numbered lines around it. */
export function sourceLine(frame: Frame | undefined): string | undefined {
  return frame?.context.find(([number]) => number === frame.lineNo)?.[1]?.trim()
}
