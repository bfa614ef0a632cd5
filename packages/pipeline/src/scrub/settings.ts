/** What a project wants to be removed before anything is stored. */
export type ScrubSettings = {
  readonly enabled: boolean
  /** Further field names (any part of a name) whose values are removed. */
  readonly sensitiveFields: readonly string[]
  /** Field names (whole) that are kept although a rule would remove them. */
  readonly safeFields: readonly string[]
  /** Removes addresses of users. Works with `enabled: false` too. */
  readonly scrubIp: boolean
  /** Of session replays: each text, each value of a field. Work with `enabled: false` too. */
  readonly maskReplayTexts?: boolean
  readonly maskReplayInputs?: boolean
}

export const DEFAULT_SCRUB_SETTINGS: ScrubSettings = {
  enabled: true,
  sensitiveFields: [],
  safeFields: [],
  scrubIp: false,
}

/** Stands where a value stood. A value that is exactly this counts as scrubbed. */
export const FILTERED = '[Filtered]'
export const FILTERED_CARD = '[creditcard]'

/** What a project's settings mean for names; made once per settings object, which is used for thousands of items. */
export type Rules = { readonly keys: KeyRules; readonly cookies: KeyRules }

const rulesBySettings = new WeakMap<ScrubSettings, Rules>()

export function rulesOf(settings: ScrubSettings): Rules {
  const known = rulesBySettings.get(settings)
  if (known) return known
  const safe = new Set(settings.safeFields.map((name) => name.toLowerCase()))
  const rules: Rules = {
    keys: createKeyRules(settings),
    cookies: (key) => (safe.has(key.toLowerCase()) ? 'no' : 'always'),
  }
  rulesBySettings.set(settings, rules)
  return rules
}

export const keyRulesOf = (settings: ScrubSettings): KeyRules => rulesOf(settings).keys

// Which field names promise a secret. A name is compared in two forms: squeezed (`X-Api-Key`, `api_key`, `apiKey` →
// `apikey`) against parts that mean a secret wherever they stand, and as words against those that only do as a word
// (`auth`, but not `author`).

/** `unlessNumber`: `max_tokens: 4096` is a measure, `tokens: "abc"` is not. */
export type Sensitivity = 'no' | 'always' | 'unlessNumber'
export type KeyRules = (key: string) => Sensitivity

const PARTS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'mysqlpwd',
  'secret',
  'apikey',
  'privatekey',
  'accesskey',
  'credential',
  'authorization',
  'bearer',
  'cookie',
  'sessionid',
  'sessionkey',
  'sessid',
  'csrf',
  'xsrf',
  'creditcard',
  'cardnumber',
  'socialsecurity',
]
const ENDS = ['auth', 'pwd', 'oauth2']
const WORDS = new Set(['auth', 'pwd', 'pw', 'pass', 'jwt', 'sid', 'ssn', 'cvv', 'cvc', 'csc', 'otp'])
const TOKEN_MEASURE = /tokens|tokencount|tokenlimit|tokenlength/
const NO_TOKEN = /tokeni[sz]|tokentype/

const MAX_CACHED = 5000
const MAX_CACHED_KEY = 64
// Names are identifiers; nobody's identifier is longer, and work per name stays bounded.
const MAX_KEY = 256

export function createKeyRules(settings: ScrubSettings): KeyRules {
  const safe = new Set(settings.safeFields.map(squeeze))
  const own = settings.sensitiveFields.map(squeeze).filter((part) => part !== '')
  const cache = new Map<string, Sensitivity>()
  const decide = (key: string): Sensitivity => {
    const squeezed = squeeze(key)
    if (squeezed === '' || safe.has(squeezed)) return 'no'
    if (own.some((part) => squeezed.includes(part))) return 'always'
    return byDefault(key, squeezed)
  }
  return function sensitivityOf(key) {
    const known = cache.get(key)
    if (known !== undefined) return known
    const decided = decide(withoutMarks(key.length > MAX_KEY ? key.slice(0, MAX_KEY) : key))
    if (key.length > MAX_CACHED_KEY) return decided
    // Cleared rather than aged: a flood of invented names must not hold memory, and the common ones return at once.
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(key, decided)
    return decided
  }
}

function byDefault(key: string, squeezed: string): Sensitivity {
  if (PARTS.some((part) => squeezed.includes(part))) return 'always'
  if (ENDS.some((end) => squeezed.endsWith(end))) return 'always'
  if (squeezed.includes('token') && !NO_TOKEN.test(squeezed))
    return TOKEN_MEASURE.test(squeezed) ? 'unlessNumber' : 'always'
  return wordsOf(key).some((word) => WORDS.has(word)) ? 'always' : 'no'
}

/** What scrubbing left in a name is no name: `[creditcard]` promises nothing any more. */
function withoutMarks(key: string): string {
  return key.includes('[') ? key.replaceAll(FILTERED, '0').replaceAll(FILTERED_CARD, '0') : key
}

function squeeze(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** `userPw`, `USER_PW`, `user-pw` → `user`, `pw`. */
function wordsOf(key: string): string[] {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}
