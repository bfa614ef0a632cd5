/** The largest event that SDKs send in earnest: 250 frames, 100 breadcrumbs, five exceptions in a chain, 30 threads. */
import { newEventId, type SentEvent } from './screens-events.ts'

const FRAMES = 250
const BREADCRUMBS = 100
const EXCEPTIONS = 5
const THREADS = 30

const frame = (name: string, line: number, inApp: boolean) => ({
  function: name,
  filename: `${inApp ? 'shop' : 'lib/orm'}/${name}.py`,
  lineno: line,
  in_app: inApp,
  pre_context: [
    '# prices',
    'def price(item):',
    '    rows = load(item)',
    '    if not rows:',
    '        # none',
  ],
  context_line: `        raise ValueError("no price for " + item, ${line})`,
  post_context: ['    return rows[0]', '', 'def load(item):', '    return cache.get(item)', ''],
  vars: { item: `c-${line}`, rows: [line, line + 1], cache: { size: line, kind: 'lru' } },
})

const frames = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => frame(`${prefix}_${index}`, index + 1, index % 3 === 0))

export const largestEvent = (atMs: number): SentEvent => ({
  event_id: newEventId(),
  timestamp: atMs / 1000,
  platform: 'python',
  breadcrumbs: Array.from({ length: BREADCRUMBS }, (_, index) => ({
    timestamp: atMs / 1000 - BREADCRUMBS + index,
    category: index % 4 === 0 ? 'query' : 'console',
    level: index % 25 === 0 ? 'warning' : 'info',
    message: `step ${index} of the import`,
    data: { table: `prices_${index}`, rows: index, took_ms: index * 3 },
  })),
  threads: {
    values: Array.from({ length: THREADS }, (_, index) => ({
      id: index,
      name: `worker-${index}`,
      crashed: index === 0,
      stacktrace: { frames: frames(`thread_${index}`, 40) },
    })),
  },
  exception: {
    values: Array.from({ length: EXCEPTIONS }, (_, index) => ({
      type: index === EXCEPTIONS - 1 ? 'ImportFailed' : `Cause${index}Error`,
      value: `row ${index}`,
      mechanism: {
        type: 'chained',
        exception_id: EXCEPTIONS - 1 - index,
        ...(index === EXCEPTIONS - 1 ? {} : { parent_id: EXCEPTIONS - 2 - index, source: '__cause__' }),
      },
      stacktrace: { frames: frames(`step_${index}`, index === EXCEPTIONS - 1 ? FRAMES : 60) },
    })),
  },
})
