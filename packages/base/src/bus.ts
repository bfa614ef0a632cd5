/**
 * Short messages between the parts of Sonde, in one process or on several nodes. A message is a hint, not the truth: the truth
 * is in the stores, and whoever listens also looks there now and then.
 */
import type { Logger } from './logger.ts'

/** All topics. Messages are plain JSON; what another process sends is read by `readBusMessage`. */
export type Topics = {
  /** Can be queried from now on. Ids of projects and issues. */
  readonly 'issues.changed': {
    readonly projects: readonly number[]
    readonly issues: readonly number[]
    readonly created: readonly number[]
    readonly regressed: readonly number[]
  }
  /** The inbox of these people has something new, or they read it elsewhere. At most `MAX_BUS_PEOPLE`. */
  readonly 'inbox.changed': { readonly users: readonly string[] }
  /** There is work for this job. */
  readonly 'job.wake': { readonly job: string }
  /** A row of `setting` has another value. */
  readonly 'setting.changed': { readonly name: string }
  /** What an ingest process let in, in each of these windows since their beginning; some of its windows or all. */
  readonly 'limits.taken': { readonly by: string; readonly windows: readonly TakenWindow[] }
  /** An ingest process wants to know what was let in in all windows that run. */
  readonly 'limits.ask': { readonly by: string }
}
export type Topic = keyof Topics
export type Listener<T extends Topic> = (message: Topics[T]) => void

/** Name, length in milliseconds, end (Unix ms) and quantity: a list, because thousands of them are sent at once. */
export type TakenWindow = readonly [id: string, lengthMs: number, endsAtMs: number, quantity: number]

/**
 * The contract, for one process and for several:
 * - A message reaches every subscriber on every node at most once, also those of the process that published it. While a
 *   connection is down, messages to and from other processes are lost.
 * - Messages of one process on one topic arrive in the order in which they were published; nothing else is ordered.
 * - A message has at most `MAX_BUS_BYTES` as JSON. An implementation with a smaller limit (NOTIFY: 8,000 bytes) sends it in parts.
 *   A larger one, or one that a server refuses, reaches the subscribers of its own process alone, with a warning in the log.
 * - Sondes that share a server and have different prefixes or databases hear nothing of each other.
 */
export type Bus = {
  /** Returns at once and never throws: listeners are called later. */
  publish<T extends Topic>(topic: T, message: Topics[T]): void
  /** What a listener throws is logged and does not reach the others. Returns how to unsubscribe; idempotent. */
  subscribe<T extends Topic>(topic: T, listener: Listener<T>): () => void
  /** Whether other processes can be reached now, as far as this one knows. Always true where there are none. */
  isConnected(): boolean
  /** Called each time other processes can be reached (again): what was missed can be looked up now. Returns how to unsubscribe. */
  onConnect(listener: () => void): () => void
}

/** For one process. */
export function createLocalBus(logger: Logger): Bus {
  const listeners = new Map<Topic, Set<Listener<never>>>()
  return {
    publish(topic, message) {
      if (listeners.has(topic)) queueMicrotask(() => deliver(topic, message))
    },
    subscribe(topic, listener) {
      // One function may subscribe twice.
      const own: typeof listener = (message) => listener(message)
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(own))
      return () => {
        const others = listeners.get(topic)
        others?.delete(own)
        if (others?.size === 0) listeners.delete(topic)
      }
    },
    isConnected: () => true,
    onConnect: () => () => undefined,
  }

  function deliver<T extends Topic>(topic: T, message: Topics[T]): void {
    for (const listener of listeners.get(topic) ?? [])
      try {
        ;(listener as Listener<T>)(message)
      } catch (error) {
        logger.error({ err: error, topic }, 'a listener failed')
      }
  }
}
