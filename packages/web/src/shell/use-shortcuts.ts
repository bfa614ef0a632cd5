import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { isPress, SHORTCUTS, type ShortcutId } from './shortcuts.ts'

export type ShortcutHandlers = Partial<Record<ShortcutId, (event: KeyboardEvent) => void>>

type Mounted = {
  readonly ids: readonly string[]
  readonly latest: { readonly current: ShortcutHandlers }
}

const mounted: Mounted[] = []
const listeners = new Set<() => void>()
let available: readonly ShortcutId[] = []

/**
 * Runs shortcuts while the component is mounted; a handler that is undefined is not available now. The component
 * that was mounted last wins. Nothing runs while somebody types, or while a dialog is open.
 */
export function useShortcuts(handlers: ShortcutHandlers): void {
  const latest = useRef(handlers)
  const names = SHORTCUTS.filter(({ id }) => handlers[id])
    .map(({ id }) => id)
    .join()
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    if (mounted.length === 0) document.addEventListener('keydown', press)
    const entry: Mounted = { ids: names.split(','), latest }
    mounted.push(entry)
    changed()
    return () => {
      mounted.splice(mounted.indexOf(entry), 1)
      if (mounted.length === 0) document.removeEventListener('keydown', press)
      changed()
    }
  }, [names])
}

/** What can be pressed on the page as it is now, in the order of the table. */
export function useAvailableShortcuts(): readonly ShortcutId[] {
  return useSyncExternalStore(
    subscribe,
    () => available,
    () => available,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function changed(): void {
  available = SHORTCUTS.map(({ id }) => id).filter((id) => mounted.some(({ ids }) => ids.includes(id)))
  for (const listener of listeners) listener()
}

const SINGLE_KEYS_OFF = 'sonde-single-keys-off'

/** Whoever speaks to a computer or hits keys by accident turns off the shortcuts of one key (WCAG 2.1.4). */
export const singleKeys = {
  isOn: (): boolean => localStorage.getItem(SINGLE_KEYS_OFF) === null,
  set(isOn: boolean): void {
    if (isOn) localStorage.removeItem(SINGLE_KEYS_OFF)
    else localStorage.setItem(SINGLE_KEYS_OFF, '1')
  },
} as const

const FIELDS = 'input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select'
const PRESSABLE = 'a[href], button, summary, input, [role=option], [role=button], [role=menuitem]'

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const target = event.target instanceof HTMLElement ? event.target : document.body
  const row = SHORTCUTS.find(({ keys }) => keys.some((name) => isPress(event, name)))
  if (!row || document.querySelector('dialog[open]')) return
  const isChord = event.ctrlKey || event.metaKey
  if (!isChord && (target.isContentEditable || target.matches(FIELDS))) return
  if (!isChord && event.key.length === 1 && !singleKeys.isOn()) return
  // Enter and Space press what has the focus; only beside such things they are shortcuts.
  if ((event.key === 'Enter' || event.key === ' ') && target.closest(PRESSABLE)) return
  for (const { latest } of mounted.toReversed()) {
    const handlers = latest.current
    const found = SHORTCUTS.find(({ id, keys }) => handlers[id] && keys.some((name) => isPress(event, name)))
    if (!found) continue
    event.preventDefault()
    handlers[found.id]?.(event)
    return
  }
}
