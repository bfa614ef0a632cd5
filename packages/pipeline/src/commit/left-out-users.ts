/**
 * Users of events that are counted and not stored. A user of a hundred such events within five minutes is told once: what a
 * process remembers of them only saves bytes, told twice a user is still one.
 */
import { crc32 } from 'node:zlib'
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import type { ProcessedEvent } from '../process/processed.ts'

const WITHIN_MS = 5 * 60_000
// Of events that are alike, and of such groups: some 15 MB of memory together. Beyond it users are told again.
const MAX_USERS = 20_000
const MAX_GROUPS = 20

export type UserMemory = {
  /** Each once, as `USERS_OF_ROW` has them in SQL. */
  untold(alike: string, events: readonly ProcessedEvent[]): readonly number[]
  /** Once they are stored. */
  remember(alike: string, events: readonly ProcessedEvent[]): void
}

const memories = new WeakMap<object, UserMemory>()

export function userMemoryOf(records: Records): UserMemory {
  const memory = memories.get(records) ?? createMemory()
  memories.set(records, memory)
  return memory
}

function createMemory(): UserMemory {
  const told = createBoundedMap<string, Set<number>>(MAX_GROUPS)
  const keyOf = (alike: string, { receivedMs }: ProcessedEvent): string =>
    `${Math.floor(receivedMs / WITHIN_MS)} ${alike}`
  return {
    untold(alike, events) {
      const users = new Set<number>()
      for (const event of events) {
        const user = userOf(event)
        if (user !== undefined && !told.get(keyOf(alike, event))?.has(user)) users.add(user)
      }
      return [...users]
    },
    remember(alike, events) {
      for (const event of events) {
        const user = userOf(event)
        if (user === undefined) continue
        const key = keyOf(alike, event)
        const users = told.get(key) ?? new Set()
        if (users.size === 0) told.set(key, users)
        if (users.size < MAX_USERS) users.add(user)
      }
    },
  }
}

const userOf = ({ userKey }: ProcessedEvent): number | undefined =>
  userKey === '' ? undefined : crc32(userKey)
