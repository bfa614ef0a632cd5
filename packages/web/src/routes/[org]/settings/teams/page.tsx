import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Teams · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function Teams() {
  const { orgName, teams, membersSee, withoutTeam, isLimited, mayChange, mayOwn } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="teams">
        <span className="muted">teams</span>
      </SettingsHead>
      <SavedNotice />
      <Section id="teams" title="Teams" note={teams.length > 0 && <Count value={teams.length} noun="team" />}>
        <TeamList teams={teams} isLimited={isLimited} mayChange={mayChange} />
        {mayChange ? (
          <NewTeam />
        ) : (
          <p className="muted">Admins and owners can create teams and change them.</p>
        )}
      </Section>
      <Section id="members-see" title="What members see">
        <MembersSee see={membersSee} withoutTeam={withoutTeam} mayOwn={mayOwn} />
      </Section>
    </div>
  )
}

type TeamItem = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly memberCount: number
  readonly isMember: boolean
  readonly projects: readonly { readonly slug: string }[]
}

type TeamListProps = {
  readonly teams: readonly TeamItem[]
  /** A team may have projects that who looks is not told of. */
  readonly isLimited: boolean
  readonly mayChange: boolean
}

function TeamList({ teams, isLimited, mayChange }: TeamListProps) {
  const { org } = useParams<'org'>()
  if (teams.length === 0)
    return (
      <p className="muted">
        No teams yet. A team gives its members a role in projects; issues can be assigned to it and alert
        rules can notify it.{' '}
        {mayChange ? 'Create one, then add members and projects.' : 'Ask an admin to create one.'}
      </p>
    )
  return (
    <ul className="account-list" aria-label="Teams">
      {teams.map((team) => (
        <li key={team.id}>
          <div className="account-item">
            <p>
              <Link to={paths.team(org, team.slug)}>
                <UserText text={team.name} />
              </Link>{' '}
              <span className="muted">
                <UserText text={`#${team.slug}`} />
              </span>{' '}
              {team.isMember && <Badge tone="good">yours</Badge>}
            </p>
            <p className="muted">
              <Count value={team.memberCount} noun="member" /> {team.memberCount === 1 ? 'member' : 'members'}{' '}
              ·{' '}
              {team.projects.length === 0 ? (
                `no projects${isLimited ? ' that you see' : ''}`
              ) : (
                <UserText text={team.projects.map(({ slug }) => slug).join(', ')} />
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function NewTeam() {
  const { errorOf, valueOf } = useFormState('new-team')
  return (
    <Form className="settings-line">
      <input type="hidden" name="form" value="new-team" />
      <Field
        id="new-team-name"
        name="name"
        label="New team"
        required
        maxLength={100}
        placeholder="Web"
        autoComplete="off"
        defaultValue={valueOf('name', '')}
        error={errorOf('name')}
      />
      <button type="submit" className="button">
        Create team
      </button>
    </Form>
  )
}

type MembersSeeProps = {
  readonly see: 'all' | 'teams'
  readonly withoutTeam: number
  readonly mayOwn: boolean
}

/** What an owner decides about projects that none of a member's teams has. */
function MembersSee({ see, withoutTeam, mayOwn }: MembersSeeProps) {
  const isLimited = see === 'teams'
  const who = withoutTeam === 1 ? '1 member or viewer is' : `${withoutTeam} members and viewers are`
  return (
    <>
      <p>
        {isLimited
          ? 'Members and viewers see only the projects of their teams.'
          : 'Members and viewers see all projects.'}{' '}
        Admins, owners and organization tokens see all projects.
      </p>
      {withoutTeam > 0 && (
        <p className={isLimited ? undefined : 'muted'}>
          {who} in no team{isLimited ? ' and see no project.' : ': limited, they would see no project.'}
        </p>
      )}
      {mayOwn ? (
        <Form className="settings-line">
          <input type="hidden" name="form" value="members-see" />
          <button type="submit" className="button" name="see" value={isLimited ? 'all' : 'teams'}>
            {isLimited ? 'Show members all projects' : 'Limit members to the projects of their teams'}
          </button>
        </Form>
      ) : (
        <p className="muted">Owners can change this.</p>
      )}
    </>
  )
}
