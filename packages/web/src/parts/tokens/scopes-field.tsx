import { Tick } from '../forms/tick.tsx'
import type { FormState } from '../forms/use-form-state.ts'

/** What a token with a scope may do, in a few words. A scope without words is shown by its name alone. */
const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  'org:read': 'view the organization',
  'org:ci': 'create releases and upload source maps from CI',
  'project:read': 'view projects and their settings',
  'project:write': 'create and edit projects',
  'project:releases': 'create releases and upload source maps',
  'project:admin': 'create, edit and delete projects',
  'event:read': 'view issues and events',
  'event:write': 'resolve, archive and reopen issues',
  'event:admin': 'also delete issues',
  'member:read': 'view members',
  'team:read': 'alias of member:read',
  'alerts:read': 'view alerts',
}

export const scopeText = (scope: string): string | undefined => SCOPE_TEXTS[scope]

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
