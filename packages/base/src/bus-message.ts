/** What other processes send, read strictly: nothing that is not exactly a message of its topic reaches a listener. */
import type { TakenWindow, Topic, Topics } from './bus.ts'

/** As JSON. What a commit changed takes some 100 kB at most. Below the message size of a NATS that nobody configured (1 MiB). */
export const MAX_BUS_BYTES = 512 * 1024

const MAX_IDS = 50_000
/** Windows of one message. */
export const MAX_TAKEN_WINDOWS = 5_000
/** Whose inbox changed, in one message. */
export const MAX_BUS_PEOPLE = 1_000
// A month: longer than any limit that can be set.
const MAX_WINDOW_MS = 31 * 86_400_000

/** Undefined: it is none. Never throws; linear in the text. */
export function readBusMessage<T extends Topic>(topic: T, text: string): Topics[T] | undefined {
  if (text.length > MAX_BUS_BYTES) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return typeof value === 'object' && value !== null && SHAPES[topic](value as Fields)
    ? (value as Topics[T])
    : undefined
}

type Fields = Readonly<Record<string, unknown>>

const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const isWord = isText(/^[\w.: -]{1,100}$/)
const isProcess = isText(/^[0-9a-f]{16}$/)
const isWindowId = isText(/^[\w:-]{1,100}$/)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isIds = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_IDS && value.every(isCount)

const isTaken = (value: unknown): value is TakenWindow => {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [id, lengthMs, endsAtMs, quantity] = value as readonly unknown[]
  return (
    isWindowId(id) &&
    isCount(lengthMs) &&
    lengthMs > 0 &&
    lengthMs <= MAX_WINDOW_MS &&
    isCount(endsAtMs) &&
    isCount(quantity)
  )
}

/** Fields that a later version adds are left alone. */
const SHAPES: { readonly [topic in Topic]: (fields: Fields) => boolean } = {
  'issues.changed': ({ projects, issues, created, regressed }) =>
    [projects, issues, created, regressed].every(isIds),
  'inbox.changed': ({ users }) =>
    Array.isArray(users) && users.length <= MAX_BUS_PEOPLE && users.every(isWord),
  'job.wake': ({ job }) => isWord(job),
  'setting.changed': ({ name }) => isWord(name),
  'limits.taken': ({ by, windows }) =>
    isProcess(by) && Array.isArray(windows) && windows.length <= MAX_TAKEN_WINDOWS && windows.every(isTaken),
  'limits.ask': ({ by }) => isProcess(by),
}
