import type { ComponentProps } from 'react'

export type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
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
