import type { ComponentProps, ReactNode } from 'react'

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  readonly id: string
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: string
}

/** A labelled input with its hint and its error, tied together for screen readers. */
export function Field({ id, label, error, hint, className = 'input', ...input }: FieldProps) {
  const notes = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = notes.filter((note) => note !== '').join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={className}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
      />
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

type TickProps = {
  readonly name: string
  readonly isOn: boolean
  readonly value?: string
  readonly children: ReactNode
}

/** A box to tick with its words. */
export function Tick({ name, isOn, value = 'on', children }: TickProps) {
  return (
    <label className="tick">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      <span>{children}</span>
    </label>
  )
}
