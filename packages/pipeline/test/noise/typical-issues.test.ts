/**
 * The list of open issues of a site as people show it in public: 31 of them, 28 not the site's own. Each is what stock SDKs send
 * of it, with the texts that browsers, extensions and apps say; none was made for the rules.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { NoiseClass } from '@sonde/protocol/noise'
import { classifyNoise } from '../../src/noise/classify-noise.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'

const SITE = 'https://www.shop.example'
const APP = `${SITE}/assets/index-4f1c2a.js`
const VENDOR = `${SITE}/assets/vendor-90ab12.js`
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const FACEBOOK =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/486.0.0.51.73;FBBV/657193312;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBID/phone;FBLC/de_DE;FBOP/5]'
const TIKTOK =
  'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 trill_350303 BytedanceWebview/d8a21c6'

type Issue = readonly [
  of: NoiseClass | 'own',
  type: string,
  value: string,
  more?: {
    readonly stack?: readonly string[]
    readonly agent?: string
    readonly crumbs?: readonly object[]
    readonly contexts?: object
  },
]

const FONT_CLICK = {
  category: 'ui.click',
  message: 'main#root > section.total > p > font > font',
  timestamp: 1_789_999_990,
}
const fetchOf = (url: string) => ({
  category: 'fetch',
  data: { method: 'POST', url },
  level: 'error',
  timestamp: 1_789_999_995,
})

const ISSUES: readonly Issue[] = [
  // Extensions and wallets.
  [
    'extension',
    'Error',
    'Extension context invalidated.',
    { stack: ['chrome-extension://cfhdojbkjhnklbpkdaibdccddilifddb/vendor/abp-snippets/main.js'] },
  ],
  [
    'extension',
    'UnhandledRejection',
    'Non-Error promise rejection captured with value: Could not establish connection. Receiving end does not exist.',
  ],
  [
    'extension',
    'Error',
    'A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received',
  ],
  [
    'extension',
    'TypeError',
    'Cannot redefine property: ethereum',
    { stack: [APP, 'chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa/evmAsk.js'] },
  ],
  ['extension', 'Error', 'MetaMask extension not found'],
  [
    'extension',
    'TypeError',
    "undefined is not an object (evaluating 'e.sender.tab')",
    {
      agent: SAFARI,
      stack: ['safari-web-extension://9D4C1D5E-3F6B-4E2F-9D1F-0F4A5B1E2C3D/content.js'],
    },
  ],
  [
    'extension',
    'TypeError',
    'null is not an object',
    { agent: SAFARI, stack: ['webkit-masked-url://hidden/', 'webkit-masked-url://hidden/'] },
  ],
  // Browsers within apps.
  ['in_app_browser', 'ReferenceError', "Can't find variable: _AutofillCallbackHandler", { agent: FACEBOOK }],
  [
    'in_app_browser',
    'TypeError',
    "undefined is not an object (evaluating 'window.webkit.messageHandlers')",
    { agent: FACEBOOK, stack: [`${SITE}/`] },
  ],
  [
    'in_app_browser',
    'Error',
    'Java object is gone',
    { agent: TIKTOK, stack: ['app:///iabjs_unified_bridge.js'] },
  ],
  ['in_app_browser', 'Error', 'Error invoking postMessage: Java object is gone', { agent: TIKTOK }],
  [
    'in_app_browser',
    'TypeError',
    "undefined is not an object (evaluating '__gCrWeb.form')",
    { agent: SAFARI },
  ],
  ['in_app_browser', 'ReferenceError', 'WeixinJSBridge is not defined'],
  [
    'in_app_browser',
    'SyntaxError',
    'Unexpected end of input',
    { agent: TIKTOK, stack: [`${SITE}/?utm_source=tiktok`] },
  ],
  // Pages that were translated.
  [
    'translated',
    'NotFoundError',
    "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    { stack: [VENDOR, VENDOR], crumbs: [FONT_CLICK] },
  ],
  [
    'translated',
    'NotFoundError',
    "Failed to execute 'insertBefore' on 'Node': The node before which the new node is to be inserted is not a child of this node.",
    { stack: [VENDOR], contexts: { page: { htmlClass: 'no-touch translated-ltr' } } },
  ],
  [
    'translated',
    'TypeError',
    "Cannot read properties of null (reading 'parentNode')",
    { stack: ['https://translate.googleapis.com/_/translate_http/_/js/k=translate_http.tr.de.js'] },
  ],
  // What ad blockers block.
  ['ad_blocker', 'TypeError', 'Failed to fetch (region1.google-analytics.com)'],
  [
    'ad_blocker',
    'TypeError',
    'Load failed',
    { agent: SAFARI, crumbs: [fetchOf('https://bat.bing.com/actionp/0?ti=123')] },
  ],
  ['ad_blocker', 'ReferenceError', "Can't find variable: fbq", { agent: SAFARI, stack: [APP] }],
  ['ad_blocker', 'ReferenceError', 'gtag is not defined', { stack: [`${SITE}/`] }],
  [
    'ad_blocker',
    'TypeError',
    'NetworkError when attempting to fetch resource.',
    { crumbs: [fetchOf('https://stats.g.doubleclick.net/g/collect?v=2')] },
  ],
  // Scripts of others.
  ['third_party', 'Error', 'Script error.'],
  ['third_party', 'Error', 'Script error', { stack: ['<anonymous>'] }],
  [
    'third_party',
    'TypeError',
    "Cannot read properties of undefined (reading 'domInteractive')",
    {
      stack: [
        'https://www.googletagmanager.com/gtag/js?id=G-ABC',
        'https://www.googletagmanager.com/gtag/js?id=G-ABC',
      ],
    },
  ],
  [
    'third_party',
    'TypeError',
    'Illegal invocation',
    { stack: ['https://connect.facebook.net/en_US/fbevents.js'] },
  ],
  // The browser goes on in the next frame.
  ['resize_observer', 'Error', 'ResizeObserver loop limit exceeded'],
  ['resize_observer', 'Error', 'ResizeObserver loop completed with undelivered notifications.'],
  // The site's own.
  [
    'own',
    'TypeError',
    "Cannot read properties of undefined (reading 'total')",
    { stack: [VENDOR, APP], crumbs: [FONT_CLICK] },
  ],
  [
    'own',
    'TypeError',
    'Failed to fetch (api.shop.example)',
    { stack: [APP], crumbs: [fetchOf('https://api.shop.example/cart')] },
  ],
  ['own', 'RangeError', 'Maximum call stack size exceeded', { agent: FACEBOOK, stack: [VENDOR, APP, APP] }],
]

function classOf([, type, value, { stack = [], agent = CHROME, crumbs, contexts } = {}]: Issue): string {
  const frames = stack.map((filename) => ({ filename, function: '?', in_app: true, lineno: 1, colno: 2 }))
  const event = normalizeEvent(
    {
      platform: 'javascript',
      exception: { values: [{ type, value, ...(frames.length > 0 && { stacktrace: { frames } }) }] },
      request: { url: `${SITE}/`, headers: { 'User-Agent': agent } },
      ...(crumbs && { breadcrumbs: crumbs }),
      ...(contexts && { contexts }),
    },
    { eventId: 'a'.repeat(32), receivedMs: 1_790_000_000_000, retentionDays: 90 } as never,
  )
  return classifyNoise(event)?.class ?? 'own'
}

it('of 31 open issues 28 are noise, in six classes, and the three that are left are the ones of the site', () => {
  assert.equal(ISSUES.length, 31)
  const found = ISSUES.map(classOf)
  assert.deepEqual(
    ISSUES.flatMap((issue, at) => (found[at] === issue[0] ? [] : [[issue[2], found[at]]])),
    [],
  )
  const classes = Object.groupBy(found, (name) => name)
  assert.equal(classes['own']?.length, 3)
  assert.equal(Object.keys(classes).length, 6 + 1)
})
