/** Releases as builds tell them: made, with commits, deployed; through `/api/0`, as sentry-cli does it. */
import { type RunningSonde, sondeJson } from '../harness/start-sonde.ts'
import { navigationSpan, pageLoad, sendItems, sendSpans, sendTransaction } from './performance-events.ts'
import { checkoutError, sendEvent } from './screens-events.ts'

export type Builds = {
  /** Throws on what is no success. */
  post(path: string, body: object): Promise<void>
  release(org: string, project: string, version: string, more?: object): Promise<void>
  deploy(org: string, version: string, environment: string, atMs: number): Promise<void>
}

export function buildsOf(sonde: RunningSonde): Builds {
  const { token } = sondeJson<{ token: string }>(sonde.dataDir, [
    'token',
    'create',
    '--name',
    'builds',
    '--scopes',
    'project:releases',
  ])
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${sonde.url}/api/0${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  return {
    post,
    release: (org, project, version, more = {}) =>
      post(`/organizations/${org}/releases/`, { version, projects: [project], ...more }),
    deploy: (org, version, environment, atMs) =>
      post(`/organizations/${org}/releases/${encodeURIComponent(version)}/deploys/`, {
        environment,
        dateStarted: new Date(atMs - 95_000).toISOString(),
        dateFinished: new Date(atMs).toISOString(),
      }),
  }
}

const commit = (id: string, author: string, message: string, atMs: number, files: readonly string[]) => ({
  id: id.repeat(40).slice(0, 40),
  repository: 'acme/shop',
  author_name: author,
  author_email: `${author.toLowerCase()}@example.com`,
  message,
  timestamp: new Date(atMs).toISOString(),
  patch_set: files.map((path) => ({ path, type: 'M' })),
})

export const OLD = 'shop@4.11.0'
export const NEW = 'shop@4.12.0'
const HOUR_MS = 3_600_000

/** Two releases of which one takes over from the other, with what both measured; `shop@4.12.0` broke the checkout. */
export async function fillReleases(
  sonde: RunningSonde,
  dsn: string,
  { nowMs = Date.now(), visits = 80 }: { readonly nowMs?: number; readonly visits?: number } = {},
): Promise<void> {
  const builds = buildsOf(sonde)
  await builds.release('acme', 'shop', OLD)
  await builds.release('acme', 'shop', NEW, {
    url: 'https://git.example/acme/shop/releases/4.12.0',
    commits: [
      commit('c3', 'Grace', 'Discounts are money too\n\nThey were numbers before.', nowMs - 5 * HOUR_MS, [
        'src/cart/discount.ts',
        'src/cart/total.ts',
      ]),
      commit('b2', 'Ada', 'Shipping is asked for once', nowMs - 6 * HOUR_MS, ['src/cart/shipping.ts']),
    ],
  })
  await builds.deploy('acme', OLD, 'production', nowMs - 30 * HOUR_MS)
  await builds.deploy('acme', NEW, 'staging', nowMs - 5 * HOUR_MS)
  await builds.deploy('acme', NEW, 'production', nowMs - 4 * HOUR_MS)
  for (let index = 0; index < visits; index++) {
    const isNew = index % 2 === 0
    const release = isNew ? NEW : OLD
    const atMs = nowMs - (isNew ? (index / visits) * 4 : 4 + (index / visits) * 24) * HOUR_MS - 60_000
    const load = pageLoad({
      route: '/cart',
      atMs,
      lcp: (isNew ? 2200 : 1200) + index * 5,
      cls: 0.02,
      user: `u-${index}`,
    })
    await sendTransaction(dsn, { ...load, release })
    await sendSpans(dsn, [
      navigationSpan('/cart', '/checkout', atMs + 5_000, {
        'sentry.release': release,
        'user.id': `u-${index}`,
        ...(isNew && index % 8 === 0 ? { 'sonde.navigation.outcome': 'full_load' } : {}),
      }),
    ])
  }
  await sendEvent(dsn, checkoutError(nowMs - 3 * HOUR_MS, 'u-2'))
  await sendSessions(dsn, nowMs)
}

/** Every hour of the last day: of the old release in production, of the new one in staging too, where it crashes more. */
async function sendSessions(dsn: string, nowMs: number): Promise<void> {
  const hours = (from: number, count: number, of: (hour: number) => object) =>
    Array.from({ length: count }, (_, at) => ({
      started: new Date(nowMs - (from - at) * HOUR_MS - 60_000).toISOString(),
      ...of(at),
    }))
  const usual = (at: number) => ({ exited: 900 + at * 10, errored: 12, crashed: at % 3 })
  await sendCounts(dsn, {
    aggregates: hours(24, 24, usual),
    attrs: { release: OLD, environment: 'production' },
  })
  await sendCounts(dsn, {
    aggregates: hours(4, 4, (at) => ({ exited: 400 + at * 100, errored: 30, crashed: 12 - at })),
    attrs: { release: NEW, environment: 'production' },
  })
  const users = Array.from({ length: 40 }, (_, at) => ({
    did: `u-${at}`,
    exited: 2,
    crashed: at % 20 === 0 ? 1 : 0,
  }))
  await sendCounts(dsn, {
    aggregates: users.map((user) => ({ started: new Date(nowMs - 2 * HOUR_MS).toISOString(), ...user })),
    attrs: { release: NEW, environment: 'staging' },
  })
}

const sendCounts = (dsn: string, payload: object): Promise<void> =>
  sendItems(dsn, [[{ type: 'sessions' }, payload]])
