/**
 * Every keyboard shortcut of Sonde, in the order in which the help shows them. A screen adds its rows here and runs
 * them with `useShortcuts({ 'list.next': moveDown })`: what has no row cannot be pressed, and what no mounted
 * component handles is not in the help.
 */
export const SHORTCUTS = [
  { id: 'palette', keys: ['Mod+k'], does: 'Go to a project, a screen or an issue', group: 'Everywhere' },
  { id: 'search', keys: ['/'], does: 'Search', group: 'Everywhere' },
  { id: 'help', keys: ['?'], does: 'Show the keyboard shortcuts', group: 'Everywhere' },
  { id: 'list.next', keys: ['j'], does: 'Next issue', group: 'List of issues' },
  { id: 'list.previous', keys: ['k'], does: 'Previous issue', group: 'List of issues' },
  { id: 'list.open', keys: ['Enter', 'o'], does: 'Open the issue', group: 'List of issues' },
  { id: 'list.select', keys: ['x'], does: 'Choose or leave out the issue', group: 'List of issues' },
  {
    id: 'list.select-all',
    keys: ['Shift+x'],
    does: 'Choose all issues of the page',
    group: 'List of issues',
  },
  { id: 'list.resolve', keys: ['e'], does: 'Resolve the chosen issues', group: 'List of issues' },
  { id: 'list.ignore', keys: ['m'], does: 'Ignore the chosen issues', group: 'List of issues' },
  { id: 'list.reopen', keys: ['u'], does: 'Reopen the chosen issues', group: 'List of issues' },
  { id: 'issue.older', keys: ['['], does: 'Older event', group: 'Issue' },
  { id: 'issue.newer', keys: [']'], does: 'Newer event', group: 'Issue' },
  { id: 'issue.resolve', keys: ['e'], does: 'Resolve or reopen the issue', group: 'Issue' },
  { id: 'issue.ignore', keys: ['m'], does: 'Ignore the issue', group: 'Issue' },
  { id: 'issue.frames', keys: ['f'], does: 'All frames, or those of the application', group: 'Issue' },
  { id: 'issue.copy', keys: ['c'], does: 'Copy the stack trace', group: 'Issue' },
  { id: 'issue.back', keys: ['u'], does: 'Back to the list', group: 'Issue' },
  { id: 'trace.find', keys: ['f'], does: 'Find spans', group: 'Trace' },
  { id: 'trace.next', keys: ['n'], does: 'Next match', group: 'Trace' },
  { id: 'trace.previous', keys: ['p'], does: 'Match before', group: 'Trace' },
] as const satisfies readonly ShortcutRow[]

export type ShortcutRow = {
  readonly id: string
  /** `j`, `?`, `Enter`, `Shift+x`, `Mod+k` (⌘ on a Mac, else Ctrl). Any of them. */
  readonly keys: readonly string[]
  readonly does: string
  readonly group: string
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

/** For `<kbd>`: `⌘ K`, `Ctrl K`, `Shift X`. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  return keys
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part.length === 1 ? part.toUpperCase() : part))
}
