import { useId, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { SHORTCUTS } from '../shortcuts.ts'
import { useShownDialog } from '../use-shown-dialog.ts'
import { singleKeys, useAvailableShortcuts } from '../use-shortcuts.ts'
import { keyNames, SHORTCUT_TEXTS } from './shortcut-texts.ts'

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
