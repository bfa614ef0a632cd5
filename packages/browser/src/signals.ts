import type { Client } from './types.ts'

/** Listeners run in the order they came. What one of them throws stays here: it is the reporter's fault, not the page's. */
export function createSignals(): Pick<Client, 'on' | 'emit'> {
  const listeners: Record<string, ((value: never) => void)[] | undefined> = {}
  return {
    on(name, listener) {
      ;(listeners[name] ??= []).push(listener)
    },
    emit(name, value) {
      for (const listener of listeners[name] ?? []) {
        try {
          listener(value as never)
        } catch {
          // Nobody to tell: the reporter does not report itself.
        }
      }
    },
  }
}
