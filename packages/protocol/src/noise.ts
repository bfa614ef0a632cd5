/**
 * Classes of errors that the application did not cause, or cannot mend by a change of its own code, and the rules by which an
 * event is put into one. Literal, because both stand in stored events (`noise.class`, `noise.rule`), in outcomes and in
 * settings: a name that was released stays. How each is read: packages/pipeline/src/noise/.
 */
export const NOISE_CLASSES = [
  'bot',
  'extension',
  'in_app_browser',
  'translated',
  'ad_blocker',
  'offline',
  'stale_build',
  'resize_observer',
  'third_party',
] as const
export type NoiseClass = (typeof NOISE_CLASSES)[number]

/** In the order in which they are asked: the first that holds decides. */
export const NOISE_RULES = {
  crawler_agent: { of: 'bot', says: 'The User-Agent is that of a known crawler' },
  safe_link_agent: { of: 'bot', says: 'Message of the scanner that opens links in Outlook mails' },
  extension_frame: { of: 'extension', says: 'The error was thrown in a script of a browser extension' },
  masked_frames: { of: 'extension', says: 'Every frame is one that Safari hides: webkit-masked-url' },
  extension_message: { of: 'extension', says: 'Message of a browser extension or of a wallet' },
  in_app_frame: { of: 'in_app_browser', says: 'The error was thrown in a script of an in-app browser' },
  in_app_message: { of: 'in_app_browser', says: 'Names something that an in-app browser puts into pages' },
  in_app_agent: {
    of: 'in_app_browser',
    says: 'The User-Agent is that of an in-app browser, and no frame is of a script of the page',
  },
  translator_frame: { of: 'translated', says: 'The error was thrown in a script of a page translator' },
  translated_nodes: {
    of: 'translated',
    says: 'A node was not where it was put, and the page shows signs of Google Translate',
  },
  blocked_request: { of: 'ad_blocker', says: 'A request to a host of ads or analytics was blocked' },
  missing_global: { of: 'ad_blocker', says: 'A global of a script of ads or analytics is not there' },
  offline_message: { of: 'offline', says: 'The browser says that there is no connection' },
  offline_state: { of: 'offline', says: 'A request failed while the browser was offline' },
  chunk_gone: { of: 'stale_build', says: 'A JavaScript or CSS chunk could not be loaded' },
  page_for_script: { of: 'stale_build', says: 'A page came where a script was asked for' },
  superseded_build: {
    of: 'stale_build',
    says: 'The server did not know what a build asked for that another deployment has replaced for an hour',
  },
  resize_observer: {
    of: 'resize_observer',
    says: 'A ResizeObserver loop: the browser goes on in the next frame',
  },
  script_error: { of: 'third_party', says: 'Script error. without a stack: a script of another origin' },
  third_party_frames: { of: 'third_party', says: 'No frame is of the site: all are of other sites' },
} as const satisfies { readonly [rule: string]: { readonly of: NoiseClass; readonly says: string } }
export type NoiseRule = keyof typeof NOISE_RULES

/** What an event is, by which rule, and what in it the rule met: a literal of ours, or a host. */
export type Noise = { readonly class: NoiseClass; readonly rule: NoiseRule; readonly match: string }

/**
 * - `keep`: like any other event; marked, so that it can be searched and left out.
 * - `thin`: counted exactly; of an issue only the first of a day and a sample are stored.
 * - `drop`: counted as filtered, not stored.
 */
export const NOISE_ACTIONS = ['keep', 'thin', 'drop'] as const
export type NoiseAction = (typeof NOISE_ACTIONS)[number]
/** What `thin` stores of an issue and day (UTC) before it samples: a screen of examples. */
export const THIN_PER_DAY = 100

export const NOISE_NAMES: Readonly<Record<NoiseClass, string>> = {
  bot: 'Bots',
  extension: 'Browser extensions',
  in_app_browser: 'In-app browsers',
  translated: 'Translated pages',
  ad_blocker: 'Ad blockers',
  offline: 'Offline',
  stale_build: 'Stale builds',
  resize_observer: 'ResizeObserver loops',
  third_party: 'Third-party scripts',
}
