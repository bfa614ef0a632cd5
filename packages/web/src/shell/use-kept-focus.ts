import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * What was pressed may go away with what it did, as "Resolve" does, and the focus with it: it then goes to the first
 * control of the group, not to the top of the page. Call what it returns as the group's `onSubmit`.
 */
export function useKeptFocus(group: RefObject<HTMLElement | null>, state: unknown): () => void {
  const hadFocus = useRef(false)
  const giveBack = useEffectEvent((_state: unknown): void => {
    const isLost = hadFocus.current && document.activeElement === document.body
    hadFocus.current = false
    if (isLost) group.current?.querySelector<HTMLElement>('button, summary, a[href]')?.focus()
  })
  useEffect(() => giveBack(state), [state])
  return () => {
    hadFocus.current = group.current?.contains(document.activeElement) ?? false
  }
}
