/**
 * Every keyboard shortcut of Sonde, in the order in which the help shows them. A screen adds its rows here and what they
 * do to `shortcut-help.tsx`, and runs them with `useShortcuts({ 'list.next': moveDown })`: what has no row cannot be
 * pressed, and what no mounted component handles is not in the help.
 */
export const SHORTCUTS = [
  { id: 'palette', keys: ['Mod+k'] },
  { id: 'search', keys: ['/'] },
  { id: 'help', keys: ['?'] },
  { id: 'list.next', keys: ['j'] },
  { id: 'list.previous', keys: ['k'] },
  { id: 'list.open', keys: ['Enter', 'o'] },
  { id: 'list.select', keys: ['x'] },
  { id: 'list.select-all', keys: ['Shift+x'] },
  { id: 'list.resolve', keys: ['e'] },
  { id: 'list.ignore', keys: ['m'] },
  { id: 'list.reopen', keys: ['u'] },
  { id: 'list.assign', keys: ['a'] },
  { id: 'list.review', keys: ['r'] },
  { id: 'list.searches', keys: ['v'] },
  { id: 'issue.older', keys: ['['] },
  { id: 'issue.newer', keys: [']'] },
  { id: 'issue.resolve', keys: ['e'] },
  { id: 'issue.ignore', keys: ['m'] },
  { id: 'issue.assign', keys: ['a'] },
  { id: 'issue.review', keys: ['r'] },
  { id: 'issue.frames', keys: ['f'] },
  { id: 'issue.copy', keys: ['c'] },
  { id: 'issue.back', keys: ['u'] },
  { id: 'release.next', keys: ['j'] },
  { id: 'release.previous', keys: ['k'] },
  { id: 'release.open', keys: ['Enter', 'o'] },
  { id: 'release.back', keys: ['u'] },
  { id: 'alert.next', keys: ['j'] },
  { id: 'alert.previous', keys: ['k'] },
  { id: 'alert.open', keys: ['Enter', 'o'] },
  { id: 'alert.back', keys: ['u'] },
  { id: 'trace.find', keys: ['f'] },
  { id: 'trace.next', keys: ['n'] },
  { id: 'trace.previous', keys: ['p'] },
  { id: 'replay.toggle', keys: ['k', ' '] },
  { id: 'replay.back', keys: ['j'] },
  { id: 'replay.forward', keys: ['l'] },
  { id: 'replay.step-back', keys: ['ArrowLeft'] },
  { id: 'replay.step-forward', keys: ['ArrowRight'] },
  { id: 'replay.full-screen', keys: ['f'] },
] as const satisfies readonly ShortcutRow[]

export type ShortcutRow = {
  readonly id: string
  /** `j`, `?`, `Enter`, `Shift+x`, `Mod+k` (⌘ on a Mac, else Ctrl). Any of them. */
  readonly keys: readonly string[]
}
export type ShortcutId = (typeof SHORTCUTS)[number]['id']

/** What decides: a `KeyboardEvent` has all of it. */
export type KeyPress = {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/**
 * Whether the press is that key. Signs are matched by what they type, whatever Shift or AltGr that takes on a
 * keyboard; letters by their name, so that `Shift+x` is not `x`.
 */
export function isPress(press: KeyPress, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  if (press.key.toLowerCase() !== key.toLowerCase()) return false
  if (press.ctrlKey && press.metaKey) return false
  // On Windows AltGr, which many layouts need for brackets, says Ctrl and Alt.
  const isMod = (press.ctrlKey || press.metaKey) && !(isSign && press.altKey)
  if (isMod !== parts.includes('Mod')) return false
  return isSign || (!press.altKey && press.shiftKey === parts.includes('Shift'))
}
