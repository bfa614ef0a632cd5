import { STATE_DESCRIPTIONS } from '../search/issue-conditions.ts'

/** Values that are the same in every installation. */
type FixedValue = { readonly value: string; readonly description: string | undefined }

const plain = (...values: readonly string[]): readonly FixedValue[] =>
  values.map((value) => ({ value, description: undefined }))

const TIMES: readonly FixedValue[] = [
  { value: '-1h', description: 'Within the last hour' },
  { value: '-24h', description: 'Within the last day' },
  { value: '-7d', description: 'Within the last week' },
  { value: '-30d', description: 'Within the last 30 days' },
  { value: '+24h', description: 'Longer ago than a day' },
  { value: '+7d', description: 'Longer ago than a week' },
]

export const FIXED_VALUES: ReadonlyMap<string, readonly FixedValue[]> = new Map([
  ['is', STATE_DESCRIPTIONS],
  ['level', plain('fatal', 'error', 'warning', 'info', 'debug')],
  ['error.unhandled', plain('true', 'false')],
  ['error.handled', plain('true', 'false')],
  ['issue.priority', plain('high', 'medium', 'low')],
  ['bookmarks', plain('me')],
  ['subscribed', plain('me')],
  ['firstSeen', TIMES],
  ['lastSeen', TIMES],
  ['age', TIMES],
  [
    'timesSeen',
    [
      { value: '>1', description: 'More than once' },
      { value: '>100', description: 'More than a hundred times' },
      { value: '>10000', description: 'More than ten thousand times' },
      { value: '1', description: 'Once' },
    ],
  ],
])

/** The names that a search understands by itself, as the search field explains them. Every other name is a tag. */
export type KeyKind = 'state' | 'choice' | 'text' | 'number' | 'time' | 'key' | 'tag'

export type KnownKey = {
  readonly key: string
  /** What its values are; `key`: the name of another key (`has:`). */
  readonly kind: KeyKind
  /** One line. */
  readonly description: string
}

/** In the order in which an empty field offers them. Older spellings (`times_seen`, …) work and are not offered. */
export const KNOWN_KEYS: readonly KnownKey[] = [
  { key: 'is', kind: 'state', description: 'State of the issue: unresolved, resolved, ignored, new, …' },
  { key: 'assigned', kind: 'text', description: 'Who has it: me, my_teams, none, an address, #team' },
  {
    key: 'assigned_or_suggested',
    kind: 'text',
    description: 'Who has it, or owns it while nobody has',
  },
  { key: 'issue.priority', kind: 'choice', description: 'How soon to look at it: high, medium, low' },
  { key: 'bookmarks', kind: 'choice', description: 'Your bookmarks: me' },
  { key: 'subscribed', kind: 'choice', description: 'What you are told of: me' },
  { key: 'has', kind: 'key', description: 'The field or tag is set at all' },
  { key: 'level', kind: 'choice', description: 'Severity: fatal, error, warning, info, debug' },
  { key: 'release', kind: 'text', description: 'Release that sent an event of the issue' },
  { key: 'environment', kind: 'text', description: 'Where it ran: production, staging, …' },
  { key: 'error.type', kind: 'text', description: 'Type of the exception, like TypeError' },
  { key: 'error.value', kind: 'text', description: 'Message of the exception' },
  { key: 'error.unhandled', kind: 'choice', description: 'Whether nobody caught it: true or false' },
  { key: 'error.handled', kind: 'choice', description: 'Whether an event was caught and reported' },
  { key: 'transaction', kind: 'text', description: 'Route or task in which it happened' },
  { key: 'url', kind: 'text', description: 'Address of the page or request' },
  { key: 'user', kind: 'text', description: 'A user, like id:42 or email:ada@example.com' },
  { key: 'user.id', kind: 'text', description: 'Id of the user' },
  { key: 'user.email', kind: 'text', description: 'E-mail address of the user' },
  { key: 'user.username', kind: 'text', description: 'Name of the user' },
  { key: 'user.ip', kind: 'text', description: 'Network address of the user' },
  { key: 'firstSeen', kind: 'time', description: 'First event of the issue: -24h is within a day' },
  { key: 'lastSeen', kind: 'time', description: 'Newest event of the issue' },
  { key: 'age', kind: 'time', description: 'Time since the first event: +7d is older than a week' },
  { key: 'timesSeen', kind: 'number', description: 'Number of events, like >100' },
  { key: 'firstRelease', kind: 'text', description: 'Release in which the issue began' },
  { key: 'title', kind: 'text', description: 'Title of the issue' },
  { key: 'culprit', kind: 'text', description: 'Function or file where it happened' },
  { key: 'message', kind: 'text', description: 'Text of a logged message' },
  { key: 'platform', kind: 'text', description: 'Language or runtime' },
  { key: 'logger', kind: 'text', description: 'Name of the logger' },
  { key: 'project', kind: 'text', description: 'Short name of the project' },
  { key: 'issue', kind: 'text', description: 'Short id of the issue, like SHOP-42' },
  { key: 'event.type', kind: 'text', description: 'Kind of event: error, default, csp, …' },
  { key: 'dist', kind: 'text', description: 'Build of the release' },
  { key: 'sdk.name', kind: 'text', description: 'SDK that reported it' },
  { key: 'sdk.version', kind: 'text', description: 'Version of that SDK' },
  { key: 'trace', kind: 'text', description: 'Trace id of an event' },
  { key: 'id', kind: 'text', description: 'Event id' },
]

const TAG_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['browser', 'Browser with its version'],
  ['browser.name', 'Name of the browser'],
  ['os', 'Operating system with its version'],
  ['os.name', 'Name of the operating system'],
  ['device', 'Model of the device'],
  ['device.family', 'Family of the device'],
  ['runtime', 'Runtime with its version'],
  ['runtime.name', 'Name of the runtime'],
  ['server_name', 'Name of the machine'],
  ['mechanism', 'How the error reached the SDK'],
  ['handled', 'Whether it was caught: yes or no'],
])

/** Every tag has a line: those that we derive say what they are. */
export const tagDescription = (key: string): string =>
  TAG_DESCRIPTIONS.get(key) ?? 'Tag set by the application'
