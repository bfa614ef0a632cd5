/** Hydration as `@sonde/react` and Sentry's SDKs tell it. */
import { navigationSpan, sendSpans } from './performance-events.ts'
import { newEventId, sendEvent } from './screens-events.ts'

type Sent = ReturnType<typeof navigationSpan>

function hydrationSpan(
  op: string,
  route: string,
  atMs: number,
  own: Readonly<Record<string, string | number>>,
): Sent {
  const named = Object.entries(own).map(([key, value]) => [`sonde.hydration.${key}`, value] as const)
  const span = navigationSpan(route, route, atMs, {
    'sentry.op': op,
    'sentry.transaction': route,
    ...Object.fromEntries(named),
  })
  const kept = Object.entries(span.attributes).filter(([key]) => !key.startsWith('sonde.navigation'))
  return { ...span, name: String(own['component'] ?? route), attributes: Object.fromEntries(kept) }
}

/** Of forty page loads of a route nine differ in a time, two in a price, and in some somebody was too quick. */
export async function fillHydration(dsn: string): Promise<void> {
  const nowMs = Date.now()
  const clock = {
    kind: 'mismatch',
    component: 'DeliveryClock',
    difference: 'text',
    node: 'time',
    before: '99:99 XXX',
    after: '9:99:99 XX',
    scope: 'root',
  }
  const price = {
    ...clock,
    component: 'Price',
    node: 'b',
    before: '$9,999.99',
    after: '9.999,99 €',
    scope: 'boundary',
  }
  const badge = {
    kind: 'mismatch',
    component: 'Badge',
    difference: 'attribute',
    node: 'i',
    before: 'class="xxxx+"',
    after: 'class="xxxx"',
    cost: 0,
  }
  const at = (n: number): number => nowMs - 40_000 - n * 900
  await sendSpans(dsn, [
    ...Array.from({ length: 40 }, (_, n) =>
      hydrationSpan('ui.hydration', '/products/[product]', at(n), {
        mismatches: n < 9 ? 1 : 0,
        lost_clicks: n % 10 === 0 ? 2 : 0,
        'benign.extension': n % 4 === 0 ? 1 : 0,
        'benign.whitespace': n === 7 ? 2 : 0,
      }),
    ),
    ...Array.from({ length: 9 }, (_, n) =>
      hydrationSpan('ui.hydration.mismatch', '/products/[product]', at(n), { ...clock, cost: 180 + n * 10 }),
    ),
    ...[40, 60].map((cost, n) =>
      hydrationSpan('ui.hydration.mismatch', '/products/[product]', at(n), { ...price, cost }),
    ),
    hydrationSpan('ui.hydration.mismatch', '/products/[product]', at(3), badge),
    hydrationSpan('ui.hydration.mismatch', '/products/[product]', at(4), {
      kind: 'mismatch',
      component: 'Shop',
      benign: 'extension',
      scope: 'root',
      cost: 90,
    }),
  ])
}

/** As `@sentry/react` sends it with `reactErrorHandler()`. Its id. */
export const sendStockMismatch = (dsn: string, route: string): Promise<string> =>
  sendEvent(dsn, {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    transaction: route,
    sdk: { name: 'sentry.javascript.react', version: '10.20.0' },
    exception: {
      values: [
        {
          type: 'Error',
          value:
            'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
        },
      ],
    },
    contexts: {
      react: {
        componentStack:
          '\n    at time (<anonymous>)\n    at StockClock (https://shop.example/assets/main.js:1:2)\n    at main',
      },
    },
  })
