export type SelectFieldProps = {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly error?: string | undefined
}

/** A labelled choice with its error, tied together for screen readers. */
export function SelectField({ id, name, label, value, choices, error }: SelectFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="input"
        defaultValue={value}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
