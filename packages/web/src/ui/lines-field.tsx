export type LinesFieldProps = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly defaultValue: string
  readonly placeholder?: string | undefined
  readonly rows?: number
  readonly isCode?: boolean
}

/** A list with one entry per line, or a pasted sample; tied to its hint and error like `Field`. */
export function LinesField({ id, label, hint, error, rows = 3, isCode = true, ...input }: LinesFieldProps) {
  const notes = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = notes.filter((note) => note !== '').join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...input}
        id={id}
        rows={rows}
        className={isCode ? 'input lines lines-code' : 'input lines'}
        spellCheck={false}
        autoCapitalize="none"
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
