import { Form, Link, useParams } from '@sonde/router'
import { Fragment } from 'react'
import { useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Tick } from '../../../ui/field.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: read-only'],
  ['member', 'Member: can also edit issues and releases'],
  ['admin', 'Admin: can also manage projects, members and tokens'],
  ['owner', 'Owner: can also delete projects and add owners'],
]

type MemberActionsProps = { readonly member: MemberItem; readonly mayOwn: boolean }

/** What can be done with one member. Each is a form of its own: it works without JavaScript. */
function MemberActions({ member, mayOwn }: MemberActionsProps) {
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

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export type MemberItem = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly isDisabled: boolean
  readonly hasTwoFactor: boolean
  readonly addedMs: number
  readonly lastSeenMs?: number | undefined
  readonly isYou: boolean
  readonly isLastOwner: boolean
  readonly teams: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
  readonly mayTouch: boolean
  /** Tokens of the organization that this person made; undefined: who asks may not know. */
  readonly madeTokens?: number | undefined
}

export type MemberListProps = { readonly members: readonly MemberItem[]; readonly mayOwn: boolean }

/** Who belongs to an organization, owners first. */
export function MemberList({ members, mayOwn }: MemberListProps) {
  const { org } = useParams<'org'>()
  return (
    <ul className="account-list" aria-label="Members">
      {members.map((member) => (
        <li key={member.userId}>
          <div className="account-item">
            <p>
              <Avatar of={{ type: 'user', id: member.userId, name: member.name }} />{' '}
              <UserText text={member.name} /> <Badge>{member.role}</Badge>{' '}
              {member.isYou && <Badge tone="good">you</Badge>}{' '}
              {member.isDisabled && <Badge tone="bad">disabled</Badge>}
            </p>
            <p className="muted">
              <UserText text={member.email} /> · two-factor {member.hasTwoFactor ? 'on' : 'off'} ·{' '}
              {member.lastSeenMs === undefined ? (
                'never signed in'
              ) : (
                <>
                  last seen <Ago atMs={member.lastSeenMs} />
                </>
              )}{' '}
              · added <Ago atMs={member.addedMs} />
            </p>
            {member.teams.length > 0 && (
              <p className="muted">
                Teams:{' '}
                {member.teams.map(({ id, slug, name }, at) => (
                  <Fragment key={id}>
                    {at > 0 && ', '}
                    <Link to={paths.team(org, slug)}>
                      <UserText text={name} />
                    </Link>
                  </Fragment>
                ))}
              </p>
            )}
            {member.isLastOwner && member.mayTouch && (
              <p className="muted">Last owner. Make another member an owner first.</p>
            )}
          </div>
          {member.mayTouch && !member.isLastOwner && <MemberActions member={member} mayOwn={mayOwn} />}
        </li>
      ))}
    </ul>
  )
}
