import { useNavigate, useParams } from '@sonde/router'
import type { RefObject } from 'react'
import { usePaths } from '../../../../shell/use-paths.ts'
import { useShortcuts } from '../../../../shell/use-shortcuts.ts'

/**
 * `j` and `k` move from row to row, as in the list of issues: the cursor is the focus, on the first link of a row, so
 * that Enter and Tab are the platform's.
 */
export function useRowKeys(table: RefObject<HTMLElement | null>): void {
  const links = (): HTMLElement[] =>
    [...(table.current?.querySelectorAll('tbody tr') ?? [])].flatMap(
      (row) => row.querySelector<HTMLElement>('a') ?? [],
    )
  const cursor = (): number =>
    links().findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const move = (step: 1 | -1) => (): void => {
    const rows = links()
    const at = cursor()
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
    next?.focus({ preventScroll: true })
    next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts({
    'release.next': move(1),
    'release.previous': move(-1),
    'release.open': () => links()[cursor()]?.click(),
  })
}

/** `u`: from one release back to all of them. */
export function useBackKey(): void {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const navigate = useNavigate()
  useShortcuts({ 'release.back': () => void navigate(kept.releases(org, project)) })
}
