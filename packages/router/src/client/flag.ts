import type { Flag } from './runtime.ts'

/** Goes up once and stays. */
export function createFlag(): Flag & { raise(): void } {
  const listeners = new Set<() => void>()
  let raised = false
  return {
    get: () => raised,
    raise() {
      if (raised) return
      raised = true
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
