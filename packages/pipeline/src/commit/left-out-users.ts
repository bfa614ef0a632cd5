/**
 * Users of events that are counted and not stored. A user of many such events is told once an hour, and again in each five
 * minutes of it as long as those have told few. What a process remembers of them only saves bytes: told twice a user is still
 * one.
 */
import { crc32 } from 'node:zlib'
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'
import { createNumberSet, type NumberSet } from './number-set.ts'

const HOUR_MS = 60 * 60_000
const WINDOW_MS = 5 * 60_000
/**
 * So many users are told anew in each five minutes: alert rules ask for some hundred users of the last minutes. More are told
 * once an hour, which costs a twelfth.
 */
const TOLD_EACH_WINDOW = 2_000
// Of events that are alike in an hour, and of such groups: a megabyte each. Beyond it users are told again.
const MAX_USERS = 190_000
const MAX_GROUPS = 20

export type UserMemory = {
  /** Each once, as `USERS_OF_ROW` has them in SQL. */
  untold(alike: string, events: readonly ProcessedEvent[]): readonly number[]
  /** Once they are stored. */
  remember(alike: string, events: readonly ProcessedEvent[]): void
}

/** Of events that are alike, in an hour. */
type Told = {
  readonly hour: NumberSet
  /** Of the five minutes that were told last, the first `TOLD_EACH_WINDOW` at most. */
  readonly window: Set<number>
  readonly windowAt: number
}

const memories = new WeakMap<object, UserMemory>()

export function userMemoryOf(records: Records): UserMemory {
  const memory = memories.get(records) ?? createUserMemory()
  memories.set(records, memory)
  return memory
}

export function createUserMemory(): UserMemory {
  const groups = createBoundedMap<string, Told>(MAX_GROUPS)
  const keyOf = (alike: string, { receivedMs }: ProcessedEvent): string =>
    `${Math.floor(receivedMs / HOUR_MS)} ${alike}`
  return {
    untold(alike, events) {
      const users = new Set<number>()
      for (const event of events) {
        const user = userOf(event)
        if (user === undefined || users.has(user)) continue
        const told = groups.get(keyOf(alike, event))
        if (!told?.hour.has(user)) users.add(user)
        else if (mayRepeat(told, windowOf(event), user, users.size)) users.add(user)
      }
      return [...users]
    },
    remember(alike, events) {
      for (const event of events) {
        const user = userOf(event)
        if (user === undefined) continue
        const key = keyOf(alike, event)
        let told = groups.get(key)
        if (told?.windowAt !== windowOf(event)) {
          told = {
            hour: told?.hour ?? createNumberSet(MAX_USERS),
            window: new Set(),
            windowAt: windowOf(event),
          }
          groups.set(key, told)
        }
        told.hour.add(user)
        if (told.window.size < TOLD_EACH_WINDOW) told.window.add(user)
      }
    },
  }
}

/** `before`: users of the same rows. */
function mayRepeat({ window, windowAt }: Told, at: number, user: number, before: number): boolean {
  if (windowAt !== at) return before < TOLD_EACH_WINDOW
  return !window.has(user) && window.size + before < TOLD_EACH_WINDOW
}

const windowOf = ({ receivedMs }: ProcessedEvent): number => Math.floor(receivedMs / WINDOW_MS)

const userOf = ({ userKey }: ProcessedEvent): number | undefined =>
  userKey === '' ? undefined : crc32(userKey)
