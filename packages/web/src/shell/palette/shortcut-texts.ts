/** What the shortcuts do, in words. Apart from their keys: only the help says it, and no page waits for the help. */
import type { ShortcutId } from '../shortcuts.ts'

export type ShortcutText = { readonly does: string; readonly group: string }

const inGroup = <Id extends ShortcutId>(
  group: string,
  texts: Readonly<Record<Id, string>>,
): Readonly<Record<Id, ShortcutText>> =>
  Object.fromEntries(Object.entries<string>(texts).map(([id, does]) => [id, { does, group }])) as Record<
    Id,
    ShortcutText
  >

export const SHORTCUT_TEXTS: Readonly<Record<ShortcutId, ShortcutText>> = {
  ...inGroup('Everywhere', {
    palette: 'Go to a project, a screen or an issue',
    search: 'Search',
    help: 'Show the keyboard shortcuts',
  }),
  ...inGroup('Issue list', {
    'list.next': 'Next issue',
    'list.previous': 'Previous issue',
    'list.open': 'Open the issue',
    'list.select': 'Select or deselect issue',
    'list.select-all': 'Select all on page',
    'list.resolve': 'Resolve selected',
    'list.ignore': 'Ignore the chosen issues',
    'list.reopen': 'Reopen the chosen issues',
  }),
  ...inGroup('Issue', {
    'issue.older': 'Older event',
    'issue.newer': 'Newer event',
    'issue.resolve': 'Resolve or reopen the issue',
    'issue.ignore': 'Ignore the issue',
    'issue.frames': 'Toggle all frames / app frames',
    'issue.copy': 'Copy the stack trace',
    'issue.back': 'Back to the list',
  }),
  ...inGroup('Releases', {
    'release.next': 'Next row',
    'release.previous': 'Previous row',
    'release.open': 'Open',
    'release.back': 'Back to the list of releases',
  }),
  ...inGroup('Trace', {
    'trace.find': 'Search spans',
    'trace.next': 'Next match',
    'trace.previous': 'Previous match',
  }),
}

/** For `<kbd>`: `⌘ K`, `Ctrl K`, `Shift X`. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  return keys
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part.length === 1 ? part.toUpperCase() : part))
}
