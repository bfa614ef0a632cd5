/** Events that fill the screens: one with everything an SDK can send, and one whose every text is hostile. */
import { randomUUID } from 'node:crypto'

export type SentEvent = { readonly event_id: string; readonly [field: string]: unknown }

export const newEventId = (): string => randomUUID().replaceAll('-', '')

const CODE_BEFORE = [
  "import { applyDiscount } from './discount'",
  '',
  'export function totalOf(cart: Cart): Money {',
  '  const lines = cart.lines.map((line) => priceOf(line, cart.currency))',
  '  const shipping = shippingFor(cart.address)',
]
const CODE_AFTER = ['  return round(lines.reduce(add, shipping) - discount)', '}', '']

/** A browser error with a cause, library frames between the application's, and all that surrounds it. */
export function checkoutError(atMs: number, user = 'u-4711'): SentEvent {
  const atSec = atMs / 1000
  return {
    event_id: newEventId(),
    timestamp: atSec,
    platform: 'javascript',
    level: 'error',
    release: 'shop@4.12.0',
    environment: 'production',
    transaction: '/checkout/[step]',
    tags: { 'checkout.step': 'payment', plan: 'team', region: 'eu-west-1' },
    user: { id: user, email: `${user}@example.com`, ip_address: '203.0.113.7' },
    extra: { cart: { id: 'c-99', lines: 3, total: { amount: 129.9, currency: 'EUR' } }, retries: 2 },
    modules: { react: '19.3.1', 'react-dom': '19.3.1', '@shop/cart': '2.4.0' },
    request: {
      url: 'https://shop.example/checkout/payment?coupon=SPRING&step=3',
      method: 'POST',
      query_string: 'coupon=SPRING&step=3',
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
        Referer: 'https://shop.example/cart',
        'Accept-Language': 'de-DE,de;q=0.9',
      },
      cookies: { theme: 'dark', lang: 'de' },
      data: { coupon: 'SPRING', address: { city: 'Köln', zip: '50667' } },
    },
    contexts: {
      react: { version: '19.3.1' },
      trace: {
        trace_id: newEventId(),
        span_id: newEventId().slice(0, 16),
        op: 'navigation',
        status: 'unknown_error',
      },
      device: { family: 'Mac', memory_size: 17_179_869_184, processor_count: 8 },
    },
    sdk: {
      name: 'sentry.javascript.react',
      version: '11.12.0',
      integrations: ['BrowserApiErrors', 'Breadcrumbs', 'GlobalHandlers', 'LinkedErrors', 'Dedupe'],
    },
    breadcrumbs: breadcrumbs(atSec),
    exception: {
      values: [
        {
          type: 'RangeError',
          value: "Unsupported currency code: 'EURO'",
          mechanism: { type: 'chained', handled: true },
          stacktrace: {
            frames: [
              frame('applyDiscount', 'src/cart/discount.ts', 31, 9),
              frame('format', 'node_modules/@shop/money/dist/index.js', 88, 13, false),
            ],
          },
        },
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'amount')",
          mechanism: { type: 'onunhandledrejection', handled: false },
          stacktrace: {
            frames: [
              frame(
                'performWorkUntilDeadline',
                'node_modules/scheduler/cjs/scheduler.development.js',
                61,
                20,
                false,
              ),
              frame('renderWithHooks', 'node_modules/react-dom/cjs/react-dom-client.js', 5_530, 22, false),
              frame('CheckoutPage', 'src/routes/checkout/[step]/page.tsx', 74, 17),
              frame('useMemo', 'node_modules/react/cjs/react.development.js', 1_209, 20, false),
              frame('callWithErrorBoundary', 'node_modules/react-dom/cjs/react-dom-client.js', 812, 5, false),
              frame('invokeGuarded', 'node_modules/react-dom/cjs/react-dom-client.js', 820, 7, false),
              {
                ...frame('totalOf', 'src/cart/total.ts', 42, 31),
                pre_context: CODE_BEFORE,
                context_line: '  const discount = applyDiscount(cart.coupon).amount',
                post_context: CODE_AFTER,
                vars: { cart: { coupon: 'SPRING', lines: 3 }, shipping: 4.9 },
              },
            ],
          },
        },
      ],
    },
  }
}

function frame(name: string, file: string, line: number, column: number, inApp = true) {
  return {
    function: name,
    filename: file,
    abs_path: `https://shop.example/${file}`,
    lineno: line,
    colno: column,
    in_app: inApp,
    ...(inApp
      ? { context_line: `  return ${name.toLowerCase()}(state)`, pre_context: ['{'], post_context: ['}'] }
      : {}),
  }
}

function breadcrumbs(atSec: number) {
  return [
    { timestamp: atSec - 41, category: 'navigation', data: { from: '/', to: '/cart' } },
    { timestamp: atSec - 30.5, category: 'ui.click', message: 'button#to-checkout > span.label' },
    {
      timestamp: atSec - 12.25,
      type: 'http',
      category: 'fetch',
      data: { method: 'GET', url: '/api/cart/c-99', status_code: 200 },
    },
    { timestamp: atSec - 3, category: 'console', level: 'warning', message: 'coupon SPRING has no currency' },
    {
      timestamp: atSec - 0.31,
      type: 'http',
      category: 'fetch',
      level: 'error',
      data: { method: 'POST', url: '/api/checkout', status_code: 500 },
    },
  ]
}

const RTL = 'مرحبا ‮gnp.exe‬ שלום'
/** Becomes an element, a script or an attribute wherever text is not escaped. */
export const MARKUP = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`

/** Every field that a screen shows says something hostile: markup, right-to-left text, no end, no shape. */
export function hostileEvent(atMs: number): SentEvent {
  const nasty = `${MARKUP} ${RTL}`
  return {
    event_id: newEventId(),
    timestamp: atMs / 1000,
    platform: 'javascript',
    level: 'fatal',
    release: 'r'.repeat(200),
    environment: 'pro<b>d',
    transaction: nasty,
    server_name: nasty,
    logger: '<i>logger</i>',
    tags: { '<b>tag</b>': nasty, [RTL]: RTL, empty: '', long: 'v'.repeat(5_000), __proto__tag: '__proto__' },
    user: { id: nasty, username: nasty, email: nasty, data: { [MARKUP]: nasty } },
    extra: {
      [MARKUP]: nasty,
      big: 'x'.repeat(100_000),
      deep: { a: { b: { c: { d: { e: [1, null, true] } } } } },
    },
    request: {
      url: `javascript:alert(1)//${MARKUP}`,
      method: '<b>GET</b>',
      headers: { [MARKUP]: nasty },
      cookies: { [MARKUP]: nasty },
      data: nasty,
    },
    contexts: { [MARKUP]: { [MARKUP]: nasty }, browser: { name: nasty, version: RTL } },
    breadcrumbs: Array.from({ length: 60 }, (_, index) => ({
      timestamp: atMs / 1000 - index,
      category: nasty,
      message: `${index} ${nasty} ${'y'.repeat(800)}`,
      level: index % 2 === 0 ? 'error' : 'info',
      data: { [MARKUP]: nasty },
    })),
    exception: {
      values: [
        {
          type: MARKUP,
          value: `${nasty} ${'z'.repeat(9_000)}`,
          module: nasty,
          stacktrace: {
            frames: Array.from({ length: 120 }, (_, index) => ({
              function: `${MARKUP}${index}`,
              filename: `${RTL}/${MARKUP}/${'d/'.repeat(80)}${index}.js`,
              lineno: index,
              colno: index,
              in_app: index % 3 === 0,
              context_line: `${MARKUP}${'w'.repeat(3_000)}`,
              vars: { [MARKUP]: nasty },
            })),
          },
        },
      ],
    },
  }
}

export function messageEvent(atMs: number, message: string, level = 'warning'): SentEvent {
  return {
    event_id: newEventId(),
    timestamp: atMs / 1000,
    platform: 'node',
    level,
    logentry: { message },
    server_name: 'worker-3',
    release: 'shop@4.11.2',
    environment: 'production',
    sdk: { name: 'sentry.javascript.node', version: '10.30.0' },
  }
}

/** Posts to the store door, as old SDKs do; throws when it is refused. */
export async function sendEvent(dsn: string, event: SentEvent): Promise<string> {
  const { origin, username, pathname } = new URL(dsn)
  const answer = await fetch(`${origin}/api${pathname}/store/`, {
    method: 'POST',
    headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${username}, sentry_client=tests/1` },
    body: JSON.stringify(event),
  })
  if (answer.status !== 200)
    throw new Error(`the store door answered ${answer.status}: ${await answer.text()}`)
  return event.event_id
}
