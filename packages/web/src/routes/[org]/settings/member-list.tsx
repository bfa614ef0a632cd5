import { Badge } from '../../../ui/badge.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import { MemberActions } from './member-actions.tsx'

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
  readonly mayTouch: boolean
  /** Tokens of the organization that this person made; undefined: who asks may not know. */
  readonly madeTokens?: number | undefined
}

export type MemberListProps = { readonly members: readonly MemberItem[]; readonly mayOwn: boolean }

/** Who belongs to an organization, owners first. */
export function MemberList({ members, mayOwn }: MemberListProps) {
  return (
    <ul className="account-list" aria-label="Members">
      {members.map((member) => (
        <li key={member.userId}>
          <div className="account-item">
            <p>
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
