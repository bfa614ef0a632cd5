import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

/**
 * A choice that this browser remembers for the next event and the next visit. The first of `values` until the page is
 * in the browser, and where nothing may be stored.
 */
export function useRemembered<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): readonly [Value, (value: Value) => void] {
  const key = `sonde.${name}`
  const value = useSyncExternalStore(
    subscribe,
    () => values.find((known) => known === read(key)) ?? values[0],
    () => values[0],
  )
  const set = useCallback(
    (next: Value): void => {
      try {
        localStorage.setItem(key, next)
      } catch {
        chosen.set(key, next)
      }
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [value, set]
}

/** For as long as the page lives, where the browser stores nothing. */
const chosen = new Map<string, string>()

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? chosen.get(key)
  } catch {
    return chosen.get(key)
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
