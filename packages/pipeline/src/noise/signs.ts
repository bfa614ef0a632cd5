/**
 * What classes of noise are known by: parts of messages, of agents, of addresses. Lower case, looked for anywhere in the
 * text (hosts: as a host or the end of one). Only what an application would hardly say by itself.
 */

/** `AppName/1.2` in `User-Agent`, of apps that show pages in a web view of their own and put scripts into them. */
export const IN_APP_AGENTS = [
  'fban/',
  'fbav/',
  'fb_iab/',
  'fbios',
  'instagram',
  'messengerforios',
  'micromessenger',
  'musical_ly',
  'bytedancewebview',
  'bytelocale',
  'tiktok',
  'snapchat',
  'pinterest/',
  'linkedinapp',
  'twitter for iphone',
  'twitterandroid',
  'whatsapp',
  'kakaotalk',
  'naver(inapp',
  'zalo',
  ' line/',
  ' gsa/',
] as const

export const EXTENSION_SCHEMES = [
  'chrome-extension://',
  'moz-extension://',
  'safari-extension://',
  'safari-web-extension://',
  'ms-browser-extension://',
  'edge-extension://',
] as const
export const MASKED_SCHEME = 'webkit-masked-url://'

export const EXTENSION_MESSAGES = [
  'extension context invalidated',
  'receiving end does not exist',
  'message port closed before a response was received',
  'message channel closed before a response was received',
  'invalid call to runtime.sendmessage',
  'cannot redefine property: ethereum',
  'cannot redefine property: solana',
  'cannot redefine property: phantom',
  "cannot assign to read only property 'ethereum'",
  'window.ethereum.selectedaddress',
  'failed to connect to metamask',
  'metamask extension not found',
  'talisman extension has not been configured',
  "can't find variable: _avast_submit",
  'kasperskylab',
  'conduitpage',
  'top.globals',
  'canvas.contentdocument',
  'atomicfindclose',
  'originalcreatenotification',
  'jigsaw is not defined',
  'combosearch is not defined',
] as const

/** The scanner behind Outlook's Safe Links opens pages in an embedded browser that says this. */
export const SAFE_LINK_MESSAGES = ['object not found matching id:'] as const

export const IN_APP_SCHEMES = ['iabjs://', 'app:///iabjs', 'fb-messenger://'] as const
export const IN_APP_MESSAGES = [
  '__gcrweb',
  '_autofillcallbackhandler',
  '_pcmbridgecallbackhandler',
  'paymentautofillconfig',
  'instantsearchsdkjsbridge',
  'weixinjsbridge',
  'zalojsv2',
  'window.webkit.messagehandlers',
  'webkit.messagehandlers',
  'java object is gone',
  'java bridge method invocation error',
  'error invoking postmessage: java',
  'ucapi',
  'vid_mate_check',
  'iabjsbridge',
  'fb_xd_fragment',
  'tiktok_jsbridge',
  'ttwebview',
  'jsbridge is not defined',
  "can't find variable: gmo",
  "can't find variable: logmutedmessage",
] as const

export const TRANSLATOR_ADDRESSES = [
  'translate.googleapis.com',
  '/_/translate_http/',
  'translate.google.com',
  'www.gstatic.com/_/translate',
  'microsofttranslator.com',
] as const
/** What frameworks say when a node was taken from under them. */
export const NODE_MESSAGES = [
  "failed to execute 'removechild' on 'node'",
  "failed to execute 'insertbefore' on 'node'",
  'node.removechild: the node to be removed is not a child of this node',
  'node.insertbefore: child to insert before is not a child of this node',
] as const
/** Classes that Google Translate gives to the document, and the element that it wraps texts in. */
export const TRANSLATED_WORDS = ['translated-ltr', 'translated-rtl', '> font', '.translate.goog'] as const

/** Hosts of ads, analytics and tags. */
export const TRACKING_HOSTS = [
  'google-analytics.com',
  'analytics.google.com',
  'googletagmanager.com',
  'googletagservices.com',
  'googlesyndication.com',
  'googleadservices.com',
  'doubleclick.net',
  'adservice.google.com',
  'imasdk.googleapis.com',
  'connect.facebook.net',
  'analytics.tiktok.com',
  'ads-twitter.com',
  'analytics.twitter.com',
  'snap.licdn.com',
  'px.ads.linkedin.com',
  'bat.bing.com',
  'clarity.ms',
  'hotjar.com',
  'hotjar.io',
  'mixpanel.com',
  'amplitude.com',
  'segment.io',
  'segment.com',
  'fullstory.com',
  'intercom.io',
  'intercomcdn.com',
  'hs-analytics.net',
  'hs-scripts.com',
  'criteo.com',
  'criteo.net',
  'taboola.com',
  'outbrain.com',
  'amazon-adsystem.com',
  'adnxs.com',
  'mc.yandex.ru',
  'plausible.io',
  'heapanalytics.com',
  'nr-data.net',
  'cdn.cookielaw.org',
  'optimizely.com',
  'quantserve.com',
  'scorecardresearch.com',
  'sc-static.net',
] as const

/** Functions and lists that scripts of ads and analytics define. */
export const TRACKING_GLOBALS = [
  'adsbygoogle',
  'googletag',
  'gtag',
  'fbq',
  '_gaq',
  'ga',
  'datalayer',
  'ttq',
  'twq',
  'pintrk',
  '_hsq',
  'hj',
  'clarity',
  'uetq',
  'ym',
  'mixpanel',
] as const

/** What `fetch`, XHR and libraries around them say when no answer came. */
export const NETWORK_MESSAGES = [
  'failed to fetch',
  'networkerror when attempting to fetch resource',
  'load failed',
  'network request failed',
  'the network connection was lost',
  'the request timed out',
  'err_network_changed',
  'err_internet_disconnected',
  'err_name_not_resolved',
] as const
export const OFFLINE_MESSAGES = [
  'the internet connection appears to be offline',
  'err_internet_disconnected',
  'the network connection was lost',
  'no internet connection',
] as const
export const BLOCKED_MESSAGES = [
  'err_blocked_by_client',
  'blocked by client',
  'err_blocked_by_adblocker',
] as const

export const PAGE_FOR_SCRIPT_MESSAGES = [
  'expected a javascript module script but the server responded with a mime type',
  'expected a javascript-or-wasm module script but the server responded with a mime type',
  "'text/html' is not a valid javascript mime type",
] as const

/**
 * What a client says when the server does not know what its build asks for: Next.js, React Router, Nuxt, tRPC and clients of
 * persisted queries. From a build that is deployed they would be errors of its own.
 */
export const SUPERSEDED_MESSAGES = [
  // https://nextjs.org/docs/messages/failed-to-find-server-action
  'unrecognizedactionerror:',
  'failed to find server action',
  'unable to decode turbo-stream response',
  'no result found for routeid',
  '_nuxt/builds/meta/',
  'no procedure found on path',
  '-procedure on path',
  'persistedquerynotfound',
] as const

export const RESIZE_MESSAGES = [
  'resizeobserver loop limit exceeded',
  'resizeobserver loop completed with undelivered notifications',
] as const
