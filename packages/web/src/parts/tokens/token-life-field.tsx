import type { FormState } from '../forms/use-form-state.ts'

const LIVES: readonly (readonly [string, string])[] = [
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in 1 year'],
]

export type TokenLifeFieldProps = {
  readonly id: string
  readonly state: FormState
  readonly usual: '90' | '365'
  /** Whether a token without an end is offered. */
  readonly mayBeEndless: boolean
}

/** When a new token stops working. Read with `postedLife`. */
export function TokenLifeField({ id, state, usual, mayBeEndless }: TokenLifeFieldProps) {
  const error = state.errorOf('expiresInDays')
  return (
    <div className="field">
      <label htmlFor={id}>Expires</label>
      <select
        id={id}
        name="expiresInDays"
        className="input"
        defaultValue={state.valueOf('expiresInDays', usual)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {LIVES.map(([days, text]) => (
          <option key={days} value={days}>
            {text}
          </option>
        ))}
        {mayBeEndless && <option value="never">never</option>}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
