import { Form } from '@sonde/router'
import { Tick } from '../../../parts/forms/tick.tsx'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import type { MemberItem, Role } from './member-list.tsx'

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: read-only'],
  ['member', 'Member: can also edit issues and releases'],
  ['admin', 'Admin: can also manage projects, members and tokens'],
  ['owner', 'Owner: can also delete projects and add owners'],
]

export type MemberActionsProps = { readonly member: MemberItem; readonly mayOwn: boolean }

/** What can be done with one member. Each is a form of its own: it works without JavaScript. */
export function MemberActions({ member, mayOwn }: MemberActionsProps) {
  const { userId, name, role, isYou, madeTokens = 0 } = member
  const { errorOf, isRefused, valueOf } = useFormState(`member-${userId}`)
  const error = errorOf('role')
  const which = (
    <>
      <input type="hidden" name="form" value="member" />
      <input type="hidden" name="userId" value={userId} />
    </>
  )
  return (
    <div className="key-actions">
      <details className="key-fold" open={isRefused}>
        <summary aria-label={`Change role of ${name}`}>Change role</summary>
        <Form className="settings-form" key={role}>
          {which}
          <div className="field">
            <label htmlFor={`role-${userId}`}>Role</label>
            <select
              id={`role-${userId}`}
              name="role"
              className="input"
              defaultValue={valueOf('role', role)}
              aria-invalid={error !== undefined || undefined}
              aria-describedby={error === undefined ? undefined : `role-${userId}-error`}
            >
              {ROLES.filter(([id]) => id !== 'owner' || mayOwn).map(([id, text]) => (
                <option key={id} value={id}>
                  {text}
                </option>
              ))}
            </select>
            {error !== undefined && (
              <p className="field-error" id={`role-${userId}-error`}>
                {error}
              </p>
            )}
          </div>
          <button
            type="submit"
            className="button"
            name="does"
            value="role"
            aria-label={`Save role of ${name}`}
          >
            Save role
          </button>
        </Form>
      </details>
      <details className="key-fold">
        <summary aria-label={`Remove ${name}`}>Remove</summary>
        <Form className="settings-form danger">
          {which}
          <p>
            {isYou ? 'You lose' : 'This member loses'} access to the organization immediately, and the tokens{' '}
            {isYou ? 'you' : 'they'} created for it are deleted. The account and other organizations are not
            affected.
          </p>
          {madeTokens > 0 && (
            <Tick name="keepTokens" isOn={false}>
              Keep {madeTokens === 1 ? 'the token' : `the ${madeTokens} tokens`} created for the organization{' '}
              <span className="muted">the member may have a copy</span>
            </Tick>
          )}
          <button
            type="submit"
            className="button button-danger"
            name="does"
            value="remove"
            aria-label={`Remove member ${name}`}
          >
            Remove member
          </button>
        </Form>
      </details>
    </div>
  )
}
