import { scopeText } from './scope-texts.ts'
import { Tick } from '../forms/tick.tsx'
import type { FormState } from '../forms/use-form-state.ts'

export type ScopesFieldProps = {
  readonly id: string
  readonly scopes: readonly string[]
  readonly state: FormState
}

/** What a new token may. */
export function ScopesField({ id, scopes, state }: ScopesFieldProps) {
  const error = state.errorOf('scopes')
  return (
    <>
      <fieldset className="token-scopes" aria-describedby={error === undefined ? undefined : `${id}-error`}>
        <legend>Scopes</legend>
        {scopes.map((scope) => (
          <Tick key={scope} name="scopes" value={scope} isOn={scope === 'event:read'}>
            <code>{scope}</code> <span className="muted">{scopeText(scope)}</span>
          </Tick>
        ))}
      </fieldset>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}
