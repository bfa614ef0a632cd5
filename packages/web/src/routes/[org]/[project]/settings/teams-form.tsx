import { Form, Link, useParams } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { TEAM_ROLE_CHOICES } from '../../../../parts/teams/team-roles.ts'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

type Having = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly role: string
}

export type TeamsFormProps = {
  readonly having: readonly Having[]
  /** Teams of the organization without the project. */
  readonly others: readonly { readonly slug: string; readonly name: string }[]
  readonly mayWrite: boolean
}

/** Which teams have the project, and what their members are in it at least. */
export function TeamsForm({ having, others, mayWrite }: TeamsFormProps) {
  const { org } = useParams<'org'>()
  const { errorOf, valueOf } = useFormState('team')
  return (
    <>
      {having.length === 0 ? (
        <p className="muted">
          No team has this project. <Link to={paths.teams(org)}>Teams of the organization</Link>
        </p>
      ) : (
        <ul className="account-list" aria-label="Teams">
          {having.map(({ id, slug, name, role }) => (
            <li key={id}>
              <div className="account-item">
                <p>
                  <Link to={paths.team(org, slug)}>
                    <UserText text={name} />
                  </Link>{' '}
                  <Badge>{role}</Badge>
                </p>
              </div>
              {mayWrite && (
                <Form>
                  <input type="hidden" name="form" value="team" />
                  <input type="hidden" name="team" value={slug} />
                  <button
                    type="submit"
                    className="button button-small"
                    name="does"
                    value="take"
                    aria-label={`Remove the team ${name}`}
                  >
                    Remove
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && others.length > 0 && (
        <Form className="settings-form" key={others.length}>
          <input type="hidden" name="form" value="team" />
          <SelectField
            id="project-team"
            name="team"
            label="Add a team"
            value={valueOf('team', others[0]?.slug ?? '')}
            choices={others.map(({ slug, name }) => [slug, name] as const)}
            error={errorOf('team')}
          />
          <SelectField
            id="project-team-role"
            name="role"
            label="Role of its members"
            value={valueOf('role', 'viewer')}
            choices={TEAM_ROLE_CHOICES}
            error={errorOf('role')}
          />
          <button type="submit" className="button">
            Add team
          </button>
        </Form>
      )}
    </>
  )
}
