import { useId, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { type ShortcutId, SHORTCUTS } from '../shortcuts.ts'
import { singleKeys, useAvailableShortcuts } from '../use-shortcuts.ts'
import { useShownDialog } from '../use-shown-dialog.ts'

/** Every shortcut that works on the page behind it. */
export default function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const dialog = useShownDialog()
  const titleId = useId()
  const available = useAvailableShortcuts()
  const [isOn, setOn] = useState(singleKeys.isOn)
  const rows = SHORTCUTS.filter(({ id }) => available.includes(id)).map((row) => ({
    ...row,
    ...SHORTCUT_TEXTS[row.id],
  }))
  const isMac = /mac|iphone|ipad/i.test(navigator.platform)
  return (
    <dialog ref={dialog} className="shortcut-help" aria-labelledby={titleId} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={titleId}>Keyboard shortcuts</h2>
        <button
          type="button"
          className="button button-quiet"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      {[...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <dl>
            {own.map(({ id, keys, does }) => (
              <div key={id}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((name, index) => (
                    <span key={name}>
                      {index > 0 && <span className="muted"> or </span>}
                      {keyNames(name, isMac).map((part) => (
                        <kbd key={part}>{part}</kbd>
                      ))}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="shortcut-switch">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            singleKeys.set(event.target.checked)
            setOn(event.target.checked)
          }}
        />{' '}
        Enable single-key shortcuts{' '}
      </label>
    </dialog>
  )
}

/** What the shortcuts do, in words. Apart from their keys: only the help says it, and no page waits for the help. */
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
    'list.assign': 'Assign the chosen issues',
    'list.review': 'Mark the chosen issues as reviewed',
    'list.searches': 'Saved searches',
  }),
  ...inGroup('Issue', {
    'issue.older': 'Older event',
    'issue.newer': 'Newer event',
    'issue.resolve': 'Resolve or reopen the issue',
    'issue.ignore': 'Ignore the issue',
    'issue.assign': 'Assign the issue',
    'issue.review': 'Mark the issue as reviewed',
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
  ...inGroup('Alerts', {
    'alert.next': 'Next row',
    'alert.previous': 'Previous row',
    'alert.open': 'Open',
    'alert.back': 'Back to the list',
  }),
  ...inGroup('Trace', {
    'trace.find': 'Search spans',
    'trace.next': 'Next match',
    'trace.previous': 'Previous match',
  }),
  ...inGroup('Replay', {
    'replay.toggle': 'Play or pause',
    'replay.back': 'Back 10 seconds',
    'replay.forward': 'Forward 10 seconds',
    'replay.step-back': 'Back 5 seconds',
    'replay.step-forward': 'Forward 5 seconds',
    'replay.full-screen': 'Full screen',
  }),
}

/** For `<kbd>`: `⌘ K`, `Ctrl K`, `Shift X`. */
export function keyNames(keys: string, isMac: boolean): readonly string[] {
  if (keys === ' ') return ['Space']
  return keys
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part.length === 1 ? part.toUpperCase() : part))
}
