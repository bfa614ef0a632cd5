/** The form that creates a token: what it may do, until when, the password again; and the token that was made. */
import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field, Tick } from '../../ui/field.tsx'
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
  'event:write': 'resolve, archive, reopen, assign and comment on issues',
  'event:admin': 'resolve, archive, reopen, assign, comment on and delete issues',
  'member:read': 'view members',
  'member:write': 'invite members, change their roles and remove them',
  'member:admin': 'invite members, change their roles and remove them (as member:write)',
  'team:read': 'view members (as member:read)',
  'team:write': 'create and edit teams, their members and projects',
  'team:admin': 'create, edit and delete teams, their members and projects',
  'alerts:read': 'view alerts',
  'alerts:write': 'make and change alert rules, work on incidents',
  'org:integrations': 'set up channels of notifications',
  'audit:read': 'read the audit log',
}

export const scopeText = (scope: string): string | undefined => SCOPE_TEXTS[scope]

/** The box of one scope, with what it is for. */
export function ScopeTick({ scope, isOn }: { readonly scope: string; readonly isOn: boolean }) {
  return (
    <Tick name="scopes" value={scope} isOn={isOn}>
      <code>{scope}</code> <span className="muted">{scopeText(scope)}</span>
    </Tick>
  )
}

type ScopesFieldProps = {
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
          <ScopeTick key={scope} scope={scope} isOn={scope === 'event:read'} />
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

const LIVES: readonly (readonly [string, string])[] = [
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in 1 year'],
]

type TokenLifeFieldProps = {
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

type PasswordAgainFieldProps = { readonly id: string; readonly state: FormState }

/** A browser that was left open must not be enough to make an access that lasts. */
export function PasswordAgainField({ id, state }: PasswordAgainFieldProps) {
  return (
    <Field
      id={id}
      name="currentPassword"
      label="Confirm your password"
      type="password"
      autoComplete="current-password"
      required
      error={state.errorOf('currentPassword')}
    />
  )
}

export type MadeToken = { readonly name: string; readonly token: string }

/** The token itself, once, in the answer to the post: it is stored nowhere. */
export function MadeTokenNotice({ made }: { readonly made: MadeToken | undefined }) {
  return (
    <div role="status">
      {made && (
        <div className="saved-notice">
          <p>Copy the token now. It won’t be shown again.</p>
          <div className="dsn">
            <code>{made.token}</code>
            <CopyButton text={made.token} what={`token ${made.name}`} />
          </div>
        </div>
      )}
    </div>
  )
}

/** What tokens are, and what can be asked with them. The page is the API's own: no screen of these. */
export function TokenNote({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}{' '}
      <a className="text-link" href="/api/0/docs">
        API reference
      </a>
    </>
  )
}
