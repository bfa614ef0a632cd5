import '../../../../../parts/forms/settings.css'
import '../../../../../parts/tokens/account.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { TEAM_ROLE_CHOICES } from '../../../../../parts/teams/team-roles.ts'
import { paths } from '../../../../../paths.ts'
import { Avatar } from '../../../../../ui/avatar.tsx'
import { Badge } from '../../../../../ui/badge.tsx'
import { Count } from '../../../../../ui/count.tsx'
import { Field } from '../../../../../ui/field.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { SelectField } from '../../../../../ui/select-field.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { SettingsHead } from '../../settings-head.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  const { team, orgName } = data as { team: { name: string }; orgName: string }
  return `${team.name} · Teams · ${orgName} · Sonde`
}

export default function Team() {
  const data = usePageData<typeof load>()
  const { team, members, mayChange, mayJoin } = data
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={team.name} here="teams">
        <span className="muted">team</span>
      </SettingsHead>
      <SavedNotice />
      <p>
        <Link to={paths.teams(org)}>All teams</Link>
      </p>
      <Section id="members" title="Members" note={<Count value={members.length} noun="member" />}>
        <Members members={members} mayChange={mayChange} />
        {mayChange && <AddMember others={data.others} />}
        {(mayJoin || team.isMember) && <Membership isMember={team.isMember} />}
      </Section>
      <Section id="projects" title="Projects" note="The role that members of the team have at least.">
        <Projects projects={team.projects} mayChange={mayChange} />
        {mayChange && <AddProject projects={data.otherProjects} hasProjects={data.hasProjects} />}
      </Section>
      {mayChange && (
        <>
          <Section id="team" title="Name">
            <Rename name={team.name} slug={team.slug} />
          </Section>
          <Section id="danger" title="Delete team">
            <details className="key-fold">
              <summary>Delete team</summary>
              <Form className="settings-form danger">
                <input type="hidden" name="form" value="delete-team" />
                <p>
                  Members lose what the team gave them in its projects. Issues assigned to the team become
                  unassigned. Members and projects are kept. This cannot be undone.
                </p>
                <button type="submit" className="button button-danger">
                  Delete <UserText text={team.name} />
                </button>
              </Form>
            </details>
          </Section>
        </>
      )}
    </div>
  )
}

type Member = {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly isYou: boolean
  readonly isDisabled: boolean
}

function Members({
  members,
  mayChange,
}: {
  readonly members: readonly Member[]
  readonly mayChange: boolean
}) {
  if (members.length === 0)
    return (
      <p className="muted">Nobody is in this team yet.{mayChange && ' Add a member by e-mail address.'}</p>
    )
  return (
    <ul className="account-list" aria-label="Members of the team">
      {members.map(({ userId, name, email, role, isYou, isDisabled }) => (
        <li key={userId}>
          <div className="account-item">
            <p>
              <Avatar of={{ type: 'user', id: userId, name }} /> <UserText text={name} />{' '}
              <Badge>{role}</Badge> {isYou && <Badge tone="good">you</Badge>}{' '}
              {isDisabled && <Badge tone="bad">disabled</Badge>}
            </p>
            <p className="muted">
              <UserText text={email} />
            </p>
          </div>
          {mayChange && (
            <Form>
              <input type="hidden" name="form" value="member" />
              <input type="hidden" name="userId" value={userId} />
              <button
                type="submit"
                className="button button-small"
                aria-label={`Remove ${name} from the team`}
              >
                Remove
              </button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}

type Offered = { readonly email: string; readonly name: string }

function AddMember({ others }: { readonly others: readonly Offered[] }) {
  const { errorOf, valueOf } = useFormState('add-member')
  if (others.length === 0) return <p className="muted">Every member of the organization is in this team.</p>
  return (
    <Form className="settings-line" key={others.length}>
      <input type="hidden" name="form" value="add-member" />
      <Field
        id="add-member"
        name="email"
        label="Add a member"
        type="email"
        list="add-member-choices"
        required
        maxLength={255}
        placeholder="ada@example.com"
        autoComplete="off"
        defaultValue={valueOf('email', '')}
        error={errorOf('email')}
      />
      <datalist id="add-member-choices">
        {others.map(({ email, name }) => (
          <option key={email} value={email}>
            {name}
          </option>
        ))}
      </datalist>
      <button type="submit" className="button">
        Add to team
      </button>
    </Form>
  )
}

function Membership({ isMember }: { readonly isMember: boolean }) {
  const { errorOf } = useFormState('membership')
  const error = errorOf('does')
  return (
    <Form className="settings-line">
      <input type="hidden" name="form" value="membership" />
      <button type="submit" className="button" name="does" value={isMember ? 'leave' : 'join'}>
        {isMember ? 'Leave this team' : 'Join this team'}
      </button>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Form>
  )
}

type Project = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly role: 'viewer' | 'member' | 'admin'
}

function Projects({
  projects,
  mayChange,
}: {
  readonly projects: readonly Project[]
  readonly mayChange: boolean
}) {
  const { org } = useParams<'org'>()
  if (projects.length === 0)
    return (
      <p className="muted">
        This team has no projects{mayChange ? '. Add one below.' : ', or none that you see.'}
      </p>
    )
  return (
    <ul className="account-list" aria-label="Projects of the team">
      {projects.map((project) => (
        <li key={project.id}>
          <div className="account-item">
            <p>
              <Link to={paths.project(org, project.slug)}>
                <UserText text={project.name} />
              </Link>{' '}
              <Badge>{project.role}</Badge>
            </p>
          </div>
          {mayChange && <ProjectActions project={project} />}
        </li>
      ))}
    </ul>
  )
}

function ProjectActions({ project: { slug, name, role } }: { readonly project: Project }) {
  const { errorOf, isRefused, valueOf } = useFormState(`project-${slug}`)
  const which = (
    <>
      <input type="hidden" name="form" value="project" />
      <input type="hidden" name="project" value={slug} />
    </>
  )
  return (
    <div className="key-actions">
      <details className="key-fold" open={isRefused}>
        <summary aria-label={`Change role in ${name}`}>Change role</summary>
        <Form className="settings-form" key={role}>
          {which}
          <SelectField
            id={`role-${slug}`}
            name="role"
            label="Role"
            value={valueOf('role', role)}
            choices={TEAM_ROLE_CHOICES}
            error={errorOf('role')}
          />
          <button type="submit" className="button" aria-label={`Save role in ${name}`}>
            Save role
          </button>
        </Form>
      </details>
      <Form>
        {which}
        <button
          type="submit"
          className="button button-small"
          name="does"
          value="take"
          aria-label={`Remove ${name} from the team`}
        >
          Remove
        </button>
      </Form>
    </div>
  )
}

type AddProjectProps = {
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
  readonly hasProjects: boolean
}

function AddProject({ projects, hasProjects }: AddProjectProps) {
  const { errorOf, valueOf } = useFormState('add-project')
  if (projects.length === 0)
    return (
      <p className="muted">
        {hasProjects ? 'This team has every project.' : 'The organization has no project yet.'}
      </p>
    )
  return (
    <Form className="settings-form" key={projects.length}>
      <input type="hidden" name="form" value="add-project" />
      <SelectField
        id="add-project"
        name="project"
        label="Add a project"
        value={valueOf('project', projects[0]?.slug ?? '')}
        choices={projects.map(({ slug, name }) => [slug, name] as const)}
        error={errorOf('project')}
      />
      <SelectField
        id="add-project-role"
        name="role"
        label="Role"
        value={valueOf('role', 'viewer')}
        choices={TEAM_ROLE_CHOICES}
        error={errorOf('role')}
      />
      <button type="submit" className="button">
        Add project
      </button>
    </Form>
  )
}

function Rename({ name, slug }: { readonly name: string; readonly slug: string }) {
  const { errorOf, valueOf } = useFormState('team')
  return (
    <Form className="settings-form" key={`${slug} ${name}`}>
      <input type="hidden" name="form" value="team" />
      <Field
        id="team-name"
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={valueOf('name', name)}
        error={errorOf('name')}
      />
      <Field
        id="team-slug"
        name="slug"
        label="Short name"
        hint="Used in addresses, in searches and when the team is mentioned."
        required
        maxLength={50}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={valueOf('slug', slug)}
        error={errorOf('slug')}
      />
      <button type="submit" className="button">
        Save
      </button>
    </Form>
  )
}
