/** What stock SDKs send for errors that the application did not cause, and what must never be taken for it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOISE_CLASSES, NOISE_RULES, type NoiseRule } from '@sonde/protocol/noise'
import type { Classified } from '../../src/noise/classified.ts'
import { classifyNoise } from '../../src/noise/classify-noise.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'

const PAGE = 'https://shop.example/cart'
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0.0.30.91 (iPhone15,2; iOS 18_0)'
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

type Sent = {
  readonly type?: string
  readonly value?: string
  /** Addresses, the crash last. */
  readonly stack?: readonly string[]
  readonly agent?: string
  readonly url?: string
  readonly more?: Record<string, unknown>
  /** Another release has been deployed for a while. */
  readonly isSuperseded?: boolean
}
const classOf = (event: Sent) => classifyNoise(sent(event), event.isSuperseded)

/** As `@sentry/browser` sends it, normalized. */
function sent({
  type = 'TypeError',
  value = '',
  stack = [],
  agent = CHROME,
  url = PAGE,
  more,
}: Sent): Classified {
  const frames = stack.map((filename) => ({ filename, function: '?', in_app: true, lineno: 1, colno: 2 }))
  return normalizeEvent(
    {
      platform: 'javascript',
      exception: { values: [{ type, value, ...(frames.length > 0 && { stacktrace: { frames } }) }] },
      request: { url, headers: { 'User-Agent': agent } },
      ...more,
    },
    { eventId: 'a'.repeat(32), receivedMs: 1_790_000_000_000, retentionDays: 90 } as never,
  )
}
const crumb = (category: string, data: object, message?: string) => ({
  breadcrumbs: [{ category, data, message, timestamp: 1_789_999_999 }],
})

/** One of each rule at least: what is met, and what is sent. */
const NOISE: readonly (readonly [NoiseRule, string, Sent])[] = [
  ['crawler_agent', 'googlebot', { agent: GOOGLEBOT, stack: [`${PAGE}/app.js`] }],
  [
    'safe_link_agent',
    'object not found matching id:',
    {
      type: 'UnhandledRejection',
      value:
        'Non-Error promise rejection captured with value: Object Not Found Matching Id:3, MethodName:update, ParamCount:4',
    },
  ],
  [
    'extension_frame',
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
    {
      value: 'x',
      stack: ['https://shop.example/app.js', 'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb/inpage.js'],
    },
  ],
  ['extension_frame', 'moz-extension://1f0b2c', { value: 'x', stack: ['moz-extension://1f0b2c/content.js'] }],
  [
    'extension_frame',
    'safari-web-extension://AB12',
    { value: 'x', stack: ['safari-web-extension://AB12/content.js'] },
  ],
  [
    'masked_frames',
    'webkit-masked-url://',
    { value: 'x', stack: ['webkit-masked-url://hidden/', 'webkit-masked-url://hidden/'] },
  ],
  [
    'extension_message',
    'receiving end does not exist',
    { type: 'Error', value: 'Could not establish connection. Receiving end does not exist.' },
  ],
  [
    'extension_message',
    'cannot redefine property: ethereum',
    { value: 'Cannot redefine property: ethereum' },
  ],
  ['in_app_frame', 'iabjs://', { value: 'x', stack: ['iabjs://https://shop.example/cart'] }],
  [
    'in_app_message',
    '_autofillcallbackhandler',
    { type: 'ReferenceError', value: "Can't find variable: _AutofillCallbackHandler" },
  ],
  ['in_app_message', 'java object is gone', { type: 'Error', value: 'Java object is gone' }],
  [
    'in_app_message',
    '__gcrweb',
    { value: "undefined is not an object (evaluating '__gCrWeb.edgeTranslate')" },
  ],
  [
    'in_app_agent',
    'instagram',
    { agent: INSTAGRAM, value: 'null is not an object', stack: [PAGE, '<anonymous>'] },
  ],
  [
    'translator_frame',
    'translate.googleapis.com',
    { value: 'x', stack: ['https://translate.googleapis.com/_/translate_http/_/js/m=el_main'] },
  ],
  [
    'translated_nodes',
    '> font',
    {
      type: 'NotFoundError',
      value: "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
      stack: ['https://shop.example/app.js'],
      more: crumb('ui.click', {}, 'div#root > p > font > font'),
    },
  ],
  [
    'translated_nodes',
    '.translate.goog',
    {
      type: 'NotFoundError',
      value: "Failed to execute 'insertBefore' on 'Node': x",
      url: 'https://shop-example.translate.goog/cart',
    },
  ],
  ['blocked_request', 'google-analytics.com', { value: 'Failed to fetch (www.google-analytics.com)' }],
  [
    'blocked_request',
    'doubleclick.net',
    {
      value: 'Failed to fetch',
      more: crumb('fetch', { url: 'https://stats.g.doubleclick.net/g/collect', method: 'POST' }),
    },
  ],
  ['missing_global', 'fbq', { type: 'ReferenceError', value: 'fbq is not defined' }],
  ['missing_global', 'datalayer', { type: 'ReferenceError', value: "Can't find variable: dataLayer" }],
  [
    'offline_message',
    'the internet connection appears to be offline',
    { value: 'The Internet connection appears to be offline.' },
  ],
  [
    'offline_state',
    'device.online',
    { value: 'Failed to fetch', more: { contexts: { device: { online: false } } } },
  ],
  ['offline_state', 'tag online', { value: 'Load failed', more: { tags: { online: 'false' } } }],
  [
    'offline_state',
    'breadcrumb offline',
    { value: 'Loading chunk 7 failed.', more: crumb('connectivity', { state: 'offline' }) },
  ],
  [
    'chunk_gone',
    'loading chunk 12 failed',
    {
      type: 'ChunkLoadError',
      value: 'Loading chunk 12 failed. (error: https://shop.example/12.js)',
      stack: ['https://shop.example/app.js'],
    },
  ],
  [
    'chunk_gone',
    'dynamically imported module',
    { value: 'Failed to fetch dynamically imported module: https://shop.example/a.js' },
  ],
  [
    'page_for_script',
    "syntaxerror: unexpected token '<'",
    { type: 'SyntaxError', value: "Unexpected token '<'", stack: ['https://shop.example/app.3.js'] },
  ],
  [
    'superseded_build',
    'unrecognizedactionerror:',
    {
      type: 'UnrecognizedActionError',
      value: 'Server Action "40fe7a" was not found on the server.',
      stack: ['https://shop.example/app.js'],
      isSuperseded: true,
    },
  ],
  [
    'superseded_build',
    'no procedure found on path',
    { type: 'TRPCClientError', value: 'No procedure found on path "cart.add"', isSuperseded: true },
  ],
  [
    'resize_observer',
    'resizeobserver loop limit exceeded',
    { type: 'Error', value: 'ResizeObserver loop limit exceeded' },
  ],
  ['script_error', 'Script error.', { type: 'Error', value: 'Script error.' }],
  [
    'third_party_frames',
    'www.googletagmanager.com',
    {
      value: 'x',
      stack: ['https://www.googletagmanager.com/gtm.js', 'https://www.googletagmanager.com/gtm.js'],
    },
  ],
]

/** Errors of applications that look a little like noise. */
const OWN: Readonly<Record<string, Sent>> = {
  'a crash in a script of the site, below an extension': {
    value: 'x',
    stack: ['chrome-extension://abc/inpage.js', 'https://shop.example/app.js'],
  },
  'one frame that Safari hides above a script of the site': {
    value: 'x',
    stack: ['https://shop.example/app.js', 'webkit-masked-url://hidden/'],
  },
  'a script of the site in an in-app browser': {
    agent: INSTAGRAM,
    value: 'null is not an object',
    stack: ['https://shop.example/assets/app.js'],
  },
  'a node that is gone, with nothing that says translated': {
    type: 'NotFoundError',
    value: "Failed to execute 'removeChild' on 'Node': x",
    stack: ['https://shop.example/app.js'],
  },
  'a request of its own that failed online': {
    value: 'Failed to fetch (api.shop.example)',
    stack: ['https://shop.example/app.js'],
  },
  'a request that failed after the connection came back': {
    value: 'Failed to fetch',
    more: {
      breadcrumbs: [
        { category: 'connectivity', data: { state: 'offline' } },
        { category: 'connectivity', data: { state: 'online' } },
      ],
    },
  },
  'an answer of its own that is no JSON': {
    type: 'SyntaxError',
    value: 'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
  },
  'a variable of its own': {
    type: 'ReferenceError',
    value: 'cart is not defined',
    stack: ['https://shop.example/app.js'],
  },
  'scripts of the site from a host of its own': { value: 'x', stack: ['https://cdn.shop.example/app.js'] },
  'scripts of the site from a network that others use too': {
    value: 'x',
    stack: ['https://d1abc.cloudfront.net/app.js'],
  },
  'Script error. as a part of a message': {
    type: 'Error',
    value: 'Script error. Line 4 of the import',
    stack: ['https://shop.example/app.js'],
  },
  'what a server does not know of the build that is deployed': {
    type: 'TRPCClientError',
    value: 'No procedure found on path "cart.add"',
  },
  'any other error of a build that is not deployed any more': {
    value: "Cannot read properties of undefined (reading 'total')",
    stack: ['https://shop.example/app.js'],
    isSuperseded: true,
  },
  'nothing at all': {},
}

describe('noise', () => {
  it('is known by what stock SDKs send, with the rule and what it met', () => {
    for (const [rule, match, event] of NOISE) {
      assert.deepEqual(classOf(event), { class: NOISE_RULES[rule].of, rule, match }, JSON.stringify(event))
    }
  })

  it('has an example of each rule and each class', () => {
    assert.deepEqual([...new Set(NOISE.map(([rule]) => rule))].sort(), Object.keys(NOISE_RULES).sort())
    assert.deepEqual(
      [...new Set(Object.values(NOISE_RULES).map(({ of }) => of))].sort(),
      NOISE_CLASSES.toSorted(),
    )
  })

  it('is not what only looks like it', () => {
    for (const [what, event] of Object.entries(OWN)) assert.equal(classOf(event), undefined, what)
  })

  it('is of browsers, but for crawlers', () => {
    const more = { platform: 'node' }
    assert.equal(classifyNoise(sent({ value: 'Cannot redefine property: ethereum', more })), undefined)
    assert.equal(classifyNoise(sent({ agent: GOOGLEBOT, more }))?.class, 'bot')
  })

  it('reads long texts and deep stacks in a moment', () => {
    const long = `${'a'.repeat(50_000)} failed to fetch ${'x.'.repeat(50_000)}`
    const event = sent({
      value: long,
      stack: Array.from({ length: 500 }, () => `https://${'a.'.repeat(300)}b/`),
      agent: 'bot '.repeat(20_000),
    })
    const beganMs = performance.now()
    for (let n = 0; n < 50; n++) classifyNoise(event)
    const tookMs = performance.now() - beganMs
    assert.ok(tookMs < 1_000, `${tookMs} ms for 50`)
  })
})
