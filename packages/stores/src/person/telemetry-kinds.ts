/**
 * How a person is found in each telemetry table: a literal list, so that a new table does not compile until somebody said how.
 * Besides what is listed here, every text of a table is looked through (`personTexts`), also of columns to come.
 */
import { createHash } from 'node:crypto'
import type { Column } from '../telemetry/tables/column.ts'
import { TABLES, type TelemetryTable } from '../telemetry/tables/tables.ts'
import type { QueryParams } from '../telemetry/telemetry.ts'
import { type Person, personTexts } from './person.ts'

type Way =
  /** Expressions over the columns of a row; the parameters are those of `paramsOf`. */
  | { readonly by: readonly string[] }
  /** Its rows tell of no person; or they go with others, by the ids of those. */
  | { readonly none: string }

// `email:` of one SDK is `id:` of another: whoever signs in with an address often has it as id.
const USER_KEY = '(user_key IN {userKeys:Array(String)} OR lower(user_key) IN {lowerKeys:Array(String)})'

const EVENT_USER = [
  USER_KEY,
  'user_username IN {values:Array(String)}',
  'lower(user_email) IN {values:Array(String)}',
  'lower(user_ip) IN {values:Array(String)}',
]

/** Names by which SDKs and OpenTelemetry tell the user in attributes. */
const ATTRIBUTES = [
  'user',
  'user.id',
  'user.email',
  'user.name',
  'user.username',
  'user.ip_address',
  'enduser.id',
  'client.address',
  'net.peer.ip',
  'http.client_ip',
]
const BY_ATTRIBUTES = ATTRIBUTES.map(
  (name) =>
    `strings['${name}'] IN {values:Array(String)} OR lower(strings['${name}']) IN {values:Array(String)}`,
).join(' OR ')

export const PERSON_IN_TELEMETRY: Readonly<Record<TelemetryTable, Way>> = {
  events: { by: EVENT_USER },
  deleted_events: { by: EVENT_USER },
  event_index: { none: 'names events by their ids, and goes with them' },
  counted_ids: { none: 'hashes of ids of events that were not stored' },
  outcomes: { none: 'counts' },
  spans: { by: [USER_KEY, `(${BY_ATTRIBUTES})`] },
  vitals: { by: [USER_KEY, `(${BY_ATTRIBUTES})`] },
  navigations: { by: [USER_KEY] },
  prefetches: { by: [USER_KEY] },
  tabs: { by: [USER_KEY] },
  logs: { by: [USER_KEY, `(${BY_ATTRIBUTES})`] },
  metrics: { by: [USER_KEY, `(${BY_ATTRIBUTES})`] },
  sessions: { by: ['user_hash IN {sessionHashes:Array(String)}'] },
  profiles: { by: [USER_KEY] },
  profile_functions: { by: [USER_KEY] },
  replays: {
    by: [USER_KEY, 'user_name IN {values:Array(String)}', 'lower(user_name) IN {values:Array(String)}'],
  },
  check_ins: { by: [] },
  uptime_checks: { none: 'what Sonde itself asked and was answered' },
}

export const PERSON_TABLES = (Object.keys(PERSON_IN_TELEMETRY) as TelemetryTable[]).filter(
  (table) => 'by' in PERSON_IN_TELEMETRY[table],
)

/** As `packages/pipeline/src/sessions/session-stages.ts` keeps who a session is of. */
const sessionUserHash = (projectId: number, user: string): string =>
  createHash('sha256').update(`${projectId} ${user}`).digest('hex').slice(0, 16)

export type PersonRows = {
  /** Of rows of the project that name the person as their user. */
  readonly byUser: string
  /** Of those, and of rows that name the person in any text. */
  readonly all: string
  readonly params: QueryParams
}

/** `WHERE` of a table's rows of the person in one project; undefined: the table has none of anybody. */
export function personRows(table: TelemetryTable, projectId: number, person: Person): PersonRows | undefined {
  const way = PERSON_IN_TELEMETRY[table]
  if (!('by' in way)) return undefined
  const { id, email, ip } = person
  const values = [id, email, ip].filter((value) => value !== undefined)
  const texts = personTexts(person)
  const ofProject = 'project_id = {project:UInt32}'
  const either = (parts: readonly string[]): string =>
    parts.length === 0 ? `${ofProject} AND 0` : `${ofProject} AND (${parts.join(' OR ')})`
  return {
    byUser: either(way.by),
    all: either([...way.by, ...(texts ? textConditions(TABLES[table].columns) : [])]),
    params: {
      project: projectId,
      values,
      userKeys: [
        ...(id === undefined ? [] : [`id:${id}`, `username:${id}`]),
        ...(ip === undefined ? [] : [`ip:${ip}`, `id:${ip}`]),
      ],
      lowerKeys: email === undefined ? [] : ['id', 'username', 'email'].map((kind) => `${kind}:${email}`),
      sessionHashes: values.map((value) => sessionUserHash(projectId, value)),
      ...(texts && { needles: texts.needles, pattern: texts.pattern }),
    },
  }
}

/** One look at all texts of a row: the condition is long, and stands in the deletion. */
function textConditions(columns: readonly Column[]): readonly string[] {
  const single: string[] = []
  const lists: string[] = []
  for (const { name, type, materialized } of columns) {
    // Made of others.
    if (materialized !== undefined) continue
    if (type === 'String' || type === 'LowCardinality(String)') single.push(`toString(${name})`)
    if (type === 'Array(String)') lists.push(name)
    if (type === 'Map(LowCardinality(String), String)')
      lists.push(`arrayMap(value -> toString(value), mapValues(${name}))`)
  }
  const texts = [`[${single.join(', ')}]`, ...lists].join(', ')
  return [
    `arrayExists(text -> multiSearchAnyCaseInsensitive(text, {needles:Array(String)})
      AND match(text, {pattern:String}), arrayConcat(${texts}))`,
  ]
}
