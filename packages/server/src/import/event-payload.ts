/**
 * An event as Sentry's API answers it, back into what an SDK sent. As it is stored (`…/json/`), it has also what the documented form
 * leaves out, such as the fingerprint; that form shows camel case and numbered lines, which become a payload again. https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/, https://develop.sentry.dev/sdk/data-model/event-payloads/
 */
import type { Json } from './api-client.ts'
import { listOf, msOf, objectOf, objectsOf, present, textOf } from './json-fields.ts'

/** Set by the product itself, or told by fields of their own. */
const OWN_TAGS: ReadonlySet<string> = new Set([
  'level',
  'environment',
  'release',
  'dist',
  'logger',
  'transaction',
  'user',
  'sentry:release',
  'sentry:user',
  'sentry:dist',
])

/** What a server adds to the event of an SDK. */
const ADDED: ReadonlySet<string> = new Set([
  '_meta',
  '_metrics',
  '_fingerprint_info',
  'culprit',
  'datetime',
  'errors',
  'grouping_config',
  'hashes',
  'hierarchical_hashes',
  'key_id',
  'location',
  'metadata',
  'nodestore_insert',
  'project',
  'received',
  'title',
  'type',
  'version',
])

/** `stored`: of `…/events/ID/json/`. */
export function payloadOfStored(stored: Json): Readonly<Record<string, unknown>> {
  const { tags, message, ...fields } = stored
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => !ADDED.has(name)))
  const pairs = listOf(tags).map((pair) => listOf(pair).map(textOf))
  return present({
    ...kept,
    ...(kept['logentry'] === undefined && kept['exception'] === undefined && { message }),
    tags: Object.fromEntries(
      pairs.flatMap(([key, value]) =>
        key === undefined || value === undefined || OWN_TAGS.has(key) ? [] : [[key, value]],
      ),
    ),
  })
}

export function payloadOfEvent(event: Json): Readonly<Record<string, unknown>> {
  const entries = new Map(
    objectsOf(event['entries']).map((entry) => [textOf(entry['type']) ?? '', objectOf(entry['data'])]),
  )
  const tags = objectsOf(event['tags']).map(
    (tag) => [textOf(tag['key']) ?? '', textOf(tag['value']) ?? ''] as const,
  )
  const tag = (name: string): string | undefined => tags.find(([key]) => key === name)?.[1]
  const message = entries.get('message')
  const formatted = textOf(message?.['formatted']) ?? textOf(message?.['message'])
  const atMs = msOf(event['dateCreated'])
  return present({
    event_id: textOf(event['eventID']) ?? textOf(event['id']),
    timestamp: atMs === undefined ? undefined : atMs / 1_000,
    platform: textOf(event['platform']),
    level: textOf(event['level']) ?? tag('level'),
    logger: textOf(event['logger']) ?? tag('logger'),
    environment: textOf(event['environment']) ?? tag('environment'),
    release: textOf(objectOf(event['release'])['version']) ?? textOf(event['release']) ?? tag('release'),
    dist: textOf(event['dist']),
    transaction: textOf(event['transaction']) ?? tag('transaction'),
    logentry:
      message && present({ formatted, message: textOf(message['message']), params: message['params'] }),
    exception: valuesOf(entries.get('exception'), exceptionOf),
    threads: valuesOf(entries.get('threads'), threadOf),
    breadcrumbs: valuesOf(entries.get('breadcrumbs'), crumbOf),
    stacktrace: entries.has('stacktrace') ? stackOf(entries.get('stacktrace')) : undefined,
    request: entries.has('request') ? requestOf(objectOf(entries.get('request'))) : undefined,
    csp: entries.get('csp'),
    debug_meta: entries.get('debugmeta'),
    user: userOf(objectOf(event['user'])),
    contexts: event['contexts'],
    extra: event['context'],
    modules: event['packages'],
    sdk: event['sdk']
      ? present({
          name: textOf(objectOf(event['sdk'])['name']),
          version: textOf(objectOf(event['sdk'])['version']),
        })
      : undefined,
    tags: Object.fromEntries(tags.filter(([key]) => key !== '' && !OWN_TAGS.has(key))),
  })
}

function valuesOf(data: Json | undefined, read: (value: Json) => unknown): unknown {
  if (!data) return undefined
  const values = objectsOf(data['values'])
  return values.length === 0 ? undefined : { values: values.map(read) }
}

const exceptionOf = (value: Json): unknown =>
  present({
    type: value['type'],
    value: value['value'],
    module: value['module'],
    thread_id: value['threadId'],
    mechanism: value['mechanism'],
    stacktrace: stackOf(value['stacktrace']),
    raw_stacktrace: stackOf(value['rawStacktrace']),
  })

const threadOf = (value: Json): unknown =>
  present({
    id: value['id'],
    name: value['name'],
    crashed: value['crashed'],
    current: value['current'],
    main: value['main'],
    state: value['state'],
    stacktrace: stackOf(value['stacktrace']),
  })

function crumbOf(value: Json): unknown {
  const atMs = msOf(value['timestamp'])
  return present({
    type: value['type'],
    category: value['category'],
    level: value['level'],
    message: value['message'],
    data: value['data'],
    timestamp: atMs === undefined ? undefined : atMs / 1_000,
  })
}

function stackOf(value: unknown): unknown {
  const stack = objectOf(value)
  const frames = objectsOf(stack['frames'])
  if (frames.length === 0) return undefined
  return present({ frames: frames.map((frame) => frameOf(frame)), registers: stack['registers'] })
}

function frameOf(frame: Json): unknown {
  const line = Number(frame['lineNo'])
  const lines = listOf(frame['context']).flatMap((each) => {
    const [number, text] = listOf(each)
    return typeof number === 'number' && typeof text === 'string' ? [{ number, text }] : []
  })
  const around = (isThere: (number: number) => boolean): string[] | undefined => {
    const texts = lines.filter(({ number }) => isThere(number)).map(({ text }) => text)
    return texts.length === 0 ? undefined : texts
  }
  return present({
    filename: frame['filename'],
    abs_path: frame['absPath'],
    module: frame['module'],
    package: frame['package'],
    platform: frame['platform'],
    instruction_addr: frame['instructionAddr'],
    symbol_addr: frame['symbolAddr'],
    function: frame['function'],
    raw_function: frame['rawFunction'],
    lineno: frame['lineNo'],
    colno: frame['colNo'],
    in_app: frame['inApp'],
    vars: frame['vars'],
    context_line: lines.find(({ number }) => number === line)?.text,
    pre_context: around((number) => number < line),
    post_context: around((number) => number > line),
  })
}

const requestOf = (request: Json): unknown =>
  present({
    url: request['url'],
    method: request['method'],
    query_string: request['query'],
    fragment: request['fragment'],
    headers: request['headers'],
    cookies: request['cookies'],
    data: request['data'],
    env: request['env'],
  })

function userOf(user: Json): unknown {
  const fields = present({
    id: user['id'],
    email: user['email'],
    username: user['username'],
    name: user['name'],
    ip_address: user['ip_address'],
    geo: user['geo'],
    data: user['data'],
  })
  return Object.keys(fields).length === 0 ? undefined : fields
}
