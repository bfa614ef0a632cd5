import { useNavigate } from '@sonde/router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { levelClass } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShownDialog } from '../use-shown-dialog.ts'
import type { Choice } from './choices.ts'
import { type PaletteProps, useChoices } from './use-choices.ts'

/** Where to go and what to do, by typing: a combobox in a dialog. The platform keeps the focus inside and gives it back. */
export default function Palette({ onClose, ...props }: PaletteProps & { readonly onClose: () => void }) {
  const dialog = useShownDialog()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { choices, isLoading, hasFailed } = useChoices(text, props)
  const navigate = useNavigate()
  const listId = useId()
  const active = Math.min(at, choices.length - 1)

  const take = (choice: Choice | undefined): void => {
    if (!choice) return
    // Closed first: what the choice opens or focuses must not be undone by the focus going back.
    dialog.current?.close()
    if ('to' in choice) void navigate(choice.to)
    else choice.run()
  }
  const press = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1 + choices.length,
      PageDown: Math.min(choices.length - 1, active + 8),
      PageUp: Math.max(0, active - 8),
    }
    const next = moves[event.key]
    if (next !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt(next % choices.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(choices[active])
    } else if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      dialog.current?.close()
    }
  }
  return (
    <dialog ref={dialog} className="palette" aria-label="Go to" onClose={onClose} onClick={closeBeside}>
      <div className="palette-body" onKeyDown={press}>
        <div className="palette-field">
          <Icon name="search" />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={choices[active] && `${listId}-${active}`}
            aria-autocomplete="list"
            aria-label="Project, screen, issue or action"
            placeholder="Search projects, pages and issues…"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
          />
        </div>
        <div role="listbox" id={listId} aria-label="Results" className="palette-list" tabIndex={-1}>
          {groupsOf(choices).map(({ group, rows }) => (
            <div key={group} role="group" aria-label={group}>
              <p className="palette-group" aria-hidden="true">
                {group}
              </p>
              {rows.map(({ choice, index }) => (
                <ChoiceLine
                  key={choice.id}
                  id={`${listId}-${index}`}
                  choice={choice}
                  isActive={index === active}
                  onPoint={() => setAt(index)}
                  onTake={() => take(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        <p className="palette-note" role="status">
          {hasFailed
            ? 'Projects and issues could not be loaded.'
            : choices.length === 0
              ? isLoading
                ? 'Searching…'
                : 'No results'
              : ''}
        </p>
      </div>
    </dialog>
  )
}

type LineProps = {
  readonly id: string
  readonly choice: Choice
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onTake: () => void
}

function ChoiceLine({ id, choice, isActive, onPoint, onTake }: LineProps) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { name, hint, level } = choice
  return (
    // Keys are pressed in the combobox: this is what it points at.
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={level === undefined ? 'choice' : `choice choice-issue ${levelClass(level)}`}
      onPointerMove={onPoint}
      onClick={onTake}
    >
      <bdi className="choice-name">{name}</bdi>
      {hint !== undefined && <bdi className="choice-hint">{hint}</bdi>}
    </div>
  )
}

function groupsOf(choices: readonly Choice[]) {
  const rows = choices.map((choice, index) => ({ choice, index }))
  return [...Map.groupBy(rows, ({ choice }) => choice.group)].map(([group, own]) => ({ group, rows: own }))
}

/** The dialog itself is pressed only where its content is not: on what lies behind it. */
const closeBeside = (event: { target: EventTarget; currentTarget: HTMLDialogElement }): void => {
  if (event.target === event.currentTarget) event.currentTarget.close()
}
