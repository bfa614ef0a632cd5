type Props = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly defaultValue: string
  /** `Line 3, column 5: …` */
  readonly errors: readonly string[]
}

const ROWS = 10

/** A text of rules, one a line, with what is wrong in it beside. */
export function RulesField({ id, label, hint, errors, ...input }: Props) {
  const describedBy = errors.length === 0 ? `${id}-hint` : `${id}-hint ${id}-error`
  return (
    <div className="field rules-field">
      <label htmlFor={id}>{label}</label>
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
      <div className="rules-text">
        <textarea
          {...input}
          id={id}
          rows={ROWS}
          wrap="off"
          className="input lines lines-code"
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={describedBy}
        />
        {errors.length > 0 && (
          <ul className="field-error rules-errors" id={`${id}-error`}>
            {errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
