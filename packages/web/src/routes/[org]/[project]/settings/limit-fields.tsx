import { Field } from '../../../../ui/field.tsx'
import { LIMIT_WINDOWS, type ShownLimit } from './limit-text.ts'
import type { FormState } from '../../../../parts/forms/use-form-state.ts'

const DEFAULT_WINDOW_SEC = 60

export type LimitFieldsProps = {
  /** Of several such forms on a page, each has its own ids. */
  readonly idPrefix: string
  readonly limit: ShownLimit | undefined
  readonly state: Pick<FormState, 'errorOf' | 'valueOf'>
  readonly hint?: string
}

/** How many, within which time. */
export function LimitFields({
  idPrefix,
  limit,
  state: { errorOf, valueOf },
  hint = 'Leave empty for no limit. 0 rejects everything.',
}: LimitFieldsProps) {
  const windowSec = limit?.windowSec ?? DEFAULT_WINDOW_SEC
  return (
    <div className="field-pair">
      <Field
        id={`${idPrefix}-count`}
        name="count"
        label="Max events"
        inputMode="numeric"
        autoComplete="off"
        hint={hint}
        defaultValue={valueOf('count', limit === undefined ? '' : String(limit.count))}
        error={errorOf('rateLimit')}
      />
      <div className="field">
        <label htmlFor={`${idPrefix}-window`}>Per</label>
        <select
          id={`${idPrefix}-window`}
          name="windowSec"
          className="input"
          defaultValue={valueOf('windowSec', String(windowSec))}
        >
          {!LIMIT_WINDOWS.some(([sec]) => sec === windowSec) && (
            <option value={windowSec}>{windowSec} seconds</option>
          )}
          {LIMIT_WINDOWS.map(([sec, name]) => (
            <option key={sec} value={sec}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
