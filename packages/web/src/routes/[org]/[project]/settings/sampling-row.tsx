import type { KeyboardEvent } from 'react'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import type { RuleField } from './sampling-text.ts'
import type { RuleRow } from './use-rule-rows.ts'

const FIELDS: readonly { readonly name: RuleField; readonly label: string; readonly example: string }[] = [
  { name: 'route', label: 'Route', example: '/health*' },
  { name: 'op', label: 'Op', example: 'http.server' },
  { name: 'release', label: 'Release', example: 'shop@1.*' },
  { name: 'environment', label: 'Environment', example: 'staging' },
]

export type SamplingRowProps = {
  readonly row: RuleRow
  readonly at: number
  readonly count: number
  readonly words: string
  readonly onType: (field: RuleField, text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** One rule: what it matches, how much it keeps, and both in a sentence. */
export function SamplingRow({ row, at, count, words, onType, onKeyDown }: SamplingRowProps) {
  const { draft, errors, leftOut, key } = row
  return (
    <li onKeyDown={onKeyDown}>
      <fieldset className="sampling-rule">
        <legend className="sr-only">Rule {at + 1}</legend>
        {FIELDS.map(({ name, label, example }) => (
          <Field
            key={name}
            id={`sampling-${name}-${key}`}
            name={name}
            label={label}
            placeholder={at === 0 ? example : ''}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            value={draft[name]}
            onChange={(event) => onType(name, event.currentTarget.value)}
            error={errors[name]}
          />
        ))}
        <Field
          id={`sampling-percent-${key}`}
          name="percent"
          label="Sample rate (%)"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={draft.percent}
          onChange={(event) => onType('percent', event.currentTarget.value)}
          error={errors.percent}
        />
        <div className="sampling-buttons">
          <RowButton does="up" at={at} isDone={at === 0} text="↑" what={`Move rule ${at + 1} up`} />
          <RowButton
            does="down"
            at={at}
            isDone={at === count - 1}
            text="↓"
            what={`Move rule ${at + 1} down`}
          />
          <RowButton does="remove" at={at} text="Remove" what={`Remove rule ${at + 1}`} />
        </div>
        <p className="sampling-words">
          {words}
          {leftOut > 0 && (
            <span className="muted">
              {' '}
              Dropped <Count value={leftOut} noun="span" /> in the last 24 hours.
            </span>
          )}
        </p>
      </fieldset>
    </li>
  )
}

type RowButtonProps = {
  readonly does: 'up' | 'down' | 'remove'
  readonly at: number
  readonly text: string
  readonly what: string
  /** There is no further to go. It stays in the way of the keyboard, so that the focus is not lost at the end. */
  readonly isDone?: boolean
}

function RowButton({ does, at, text, what, isDone = false }: RowButtonProps) {
  return (
    <button
      type="submit"
      name="does"
      value={`${does}:${at}`}
      className="button button-small"
      aria-label={what}
      title={what}
      aria-disabled={isDone || undefined}
    >
      {text}
    </button>
  )
}
