/** Keys of a tree grid, as the ARIA practices have them: where the current line goes, what is folded. Pure. */
import type { Line } from './visible-lines.ts'

export type KeyEffect =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'fold'; readonly isOpen: boolean }
  | { readonly kind: 'choose' }
  | { readonly kind: 'zoom' }
  | { readonly kind: 'leave' }

/** `at`: index of the current line, -1 for none. `page`: lines in sight. Undefined: the key is not ours. */
export function keyEffect(
  key: string,
  { lines, at, page }: { readonly lines: readonly Line[]; readonly at: number; readonly page: number },
): KeyEffect | undefined {
  const last = lines.length - 1
  const go = (to: number): KeyEffect => ({ kind: 'go', to: Math.min(last, Math.max(0, to)) })
  const line = lines[at]
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at < 0 ? 0 : at - 1)
    case 'PageDown':
      return go(at + Math.max(1, page - 1))
    case 'PageUp':
      return go(at - Math.max(1, page - 1))
    case 'Home':
      return go(0)
    case 'End':
      return go(last)
    case 'ArrowRight':
      if (line?.isOpen === undefined) return undefined
      return line.isOpen ? go(at + 1) : { kind: 'fold', isOpen: true }
    case 'ArrowLeft': {
      if (!line) return undefined
      if (line.isOpen) return { kind: 'fold', isOpen: false }
      const parent = lines.findLastIndex(({ depth }, index) => index < at && depth < line.depth)
      return parent < 0 ? undefined : go(parent)
    }
    case 'Enter':
    case ' ':
      return line && { kind: 'choose' }
    case 'z':
      return line && { kind: 'zoom' }
    case 'Escape':
      return { kind: 'leave' }
    default:
      return undefined
  }
}
