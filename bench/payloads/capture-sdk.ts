/**
 * Prints envelopes as the unmodified `@sentry/node` makes them, one JSON array of texts, event ids replaced by
 * `ID_PLACE`: `node capture-sdk.ts <count> <seed>`. Runs in a process of its own, because the SDK hooks into whatever process it is in.
 */
import * as Sentry from '@sentry/node'
import { ID_PLACE } from '../load/template.ts'
import { failOnce, hex, pick, type Random, seededRandom } from './shop-app.ts'

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148',
]
const PATHS = [
  '/cart',
  '/checkout/pay',
  '/orders',
  '/products/search',
  '/account/settings',
  '/inventory/sync',
]

const [count = '100', seed = '1'] = process.argv.slice(2)
const envelopes: string[] = []

Sentry.init({
  dsn: 'http://0123456789abcdef0123456789abcdef@127.0.0.1:1/1',
  release: 'shop@4.12.0',
  environment: 'production',
  sendClientReports: false,
  transport: (options) =>
    Sentry.createTransport(options, ({ body }) => {
      const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
      const id = /"event_id":"([0-9a-f]{32})"/.exec(text)?.[1]
      if (id !== undefined) envelopes.push(text.replaceAll(id, ID_PLACE))
      return Promise.resolve({ statusCode: 200 })
    }),
})

const seeded = seededRandom(Number(seed))
for (let sent = 0; sent < Number(count); sent++) {
  // Outside of the scope: else each stack ends in four frames of the SDK itself.
  const error = failOnce(seeded)
  Sentry.withIsolationScope((scope) => {
    describeRequest(scope, seeded)
    Sentry.captureException(error)
  })
  // The SDK holds 64 envelopes at most; what is more is dropped.
  if (sent % 32 === 31) await Sentry.flush(5_000)
}
await Sentry.flush(5_000)
process.stdout.write(JSON.stringify(envelopes), () => process.exit(0))

function describeRequest(scope: Sentry.Scope, random: Random): void {
  const user = Math.floor(random() * 5_000)
  const path = pick(random, PATHS)
  scope.setUser({
    id: String(user),
    email: `person${user}@example.com`,
    ip_address: `10.${user % 256}.3.${user % 200}`,
  })
  scope.setTags({ tenant: `t${Math.floor(random() * 40)}`, region: pick(random, ['eu-1', 'us-1', 'ap-1']) })
  scope.setTransactionName(`POST ${path}`)
  scope.setExtra('order', {
    id: hex(random, 10),
    lines: Math.floor(random() * 9),
    total: Math.floor(random() * 1e5),
  })
  scope.addEventProcessor((event) => ({
    ...event,
    request: {
      method: 'POST',
      url: `https://shop.example.com${path}?session=${hex(random, 16)}`,
      headers: {
        'user-agent': pick(random, AGENTS),
        accept: 'application/json',
        'accept-language': pick(random, ['en-GB,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.5', 'fr-FR,fr;q=0.9']),
        'x-request-id': hex(random, 32),
      },
    },
  }))
  for (let at = 0; at < 2 + Math.floor(random() * 6); at++) {
    scope.addBreadcrumb({
      category: pick(random, ['http', 'console', 'query']),
      message: `${pick(random, ['GET', 'SELECT', 'cache miss for', 'retry of'])} ${pick(random, PATHS)}/${hex(random, 8)}`,
      data: { status: pick(random, [200, 200, 204, 304, 500]), tookMs: Math.floor(random() * 900) },
    })
  }
}
