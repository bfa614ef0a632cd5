import { useNavigate } from '@sonde/router'
import type { RefObject } from 'react'
import { useShortcuts } from '../../../../shell/use-shortcuts.ts'

/** `j` and `k` move from row to row; the cursor is the focus, on the first link of a row. */
export function useAlertKeys(list: RefObject<HTMLElement | null>): void {
  const links = (): HTMLElement[] =>
    [...(list.current?.children ?? [])].flatMap((row) => row.querySelector<HTMLElement>('a') ?? [])
  const cursor = (): number =>
    [...(list.current?.children ?? [])].findIndex((row) => row.contains(document.activeElement))
  const move = (step: 1 | -1) => (): void => {
    const rows = links()
    const at = cursor()
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
    next?.focus({ preventScroll: true })
    next?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts({
    'alert.next': move(1),
    'alert.previous': move(-1),
    'alert.open': () => links()[cursor()]?.click(),
  })
}

/** `u`: back to the list. */
export function useBackKey(to: string): void {
  const navigate = useNavigate()
  useShortcuts({ 'alert.back': () => void navigate(to) })
}
