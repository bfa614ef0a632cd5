/**
 * Short messages between the parts of Sonde that run in the same process, and later on other nodes. A message is a hint, not
 * the truth: the truth is in the stores, and whoever listens also looks there now and then.
 */
import type { Logger } from './logger.ts'

/** All topics. Messages are plain JSON. */
export type Topics = {
  /** Can be queried from now on. Ids of projects and issues. */
  readonly 'issues.changed': {
    readonly projects: readonly number[]
    readonly issues: readonly number[]
    readonly created: readonly number[]
    readonly regressed: readonly number[]
  }
  /** There is work for this job. */
  readonly 'job.wake': { readonly job: string }
  /** A row of `setting` has another value. */
  readonly 'setting.changed': { readonly name: string }
}
export type Topic = keyof Topics
export type Listener<T extends Topic> = (message: Topics[T]) => void

/**
 * The contract, for this implementation and for one on NATS or on PostgreSQL's LISTEN:
 * - A message reaches every subscriber on every node at most once, also those of the process that published it. While a
 *   connection is down messages are lost.
 * - Messages of one process on one topic arrive in the order in which they were published; nothing else is ordered.
 * - An implementation with a limit (NOTIFY: 8,000 bytes) stores a larger message and sends where it is.
 */
export type Bus = {
  /** Returns at once and never throws: listeners are called later. */
  publish<T extends Topic>(topic: T, message: Topics[T]): void
  /** What a listener throws is logged and does not reach the others. Returns how to unsubscribe; idempotent. */
  subscribe<T extends Topic>(topic: T, listener: Listener<T>): () => void
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
