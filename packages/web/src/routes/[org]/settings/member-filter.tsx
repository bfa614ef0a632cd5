import { Form, Link } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { Field } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { ShownMembers } from './shown-members.server.ts'

/** Fewer are found by looking. */
const LOOKED_THROUGH = 20

const ROLES = [
  ['', 'All roles'],
  ['owner', 'Owner'],
  ['admin', 'Admin'],
  ['member', 'Member'],
  ['viewer', 'Viewer'],
] as const

const FACTORS = [
  ['', 'With or without'],
  ['on', 'With second factor'],
  ['off', 'Without second factor'],
] as const

type MemberFilterProps = {
  readonly org: string
  readonly shown: ShownMembers['shown']
  readonly memberCount: number
  readonly foundCount: number
  readonly teams: ShownMembers['teams']
}

/** Finds some among many: by a part of the name or address, role, team, and who has no second factor. */
export function MemberFilter({ org, shown, memberCount, foundCount, teams }: MemberFilterProps) {
  const { q, role, team, factor } = shown
  const isNarrowed = `${q}${role}${team}${factor}` !== ''
  if (memberCount <= LOOKED_THROUGH && !isNarrowed) return null
  return (
    <>
      <Form method="get" className="settings-line" key={JSON.stringify(shown)}>
        <Field
          id="member-search"
          name="q"
          label="Search members"
          type="search"
          defaultValue={q}
          autoComplete="off"
        />
        <SelectField id="member-role" name="role" label="With role" value={role} choices={ROLES} />
        {teams.length > 0 && (
          <SelectField
            id="member-team"
            name="team"
            label="In team"
            value={team}
            choices={[
              ['', 'All teams'],
              ['none', 'No team'],
              ...teams.map(({ slug, name }) => [`#${slug}`, name] as const),
            ]}
          />
        )}
        <SelectField
          id="member-factor"
          name="factor"
          label="Two-factor sign-in"
          value={factor}
          choices={FACTORS}
        />
        <button type="submit" className="button">
          {' '}
          Search{' '}
        </button>
      </Form>
      <p role="status" className="muted">
        {isNarrowed && foundCount > 0 && (
          <>
            {foundCount} of {memberCount} members.{' '}
          </>
        )}
        {foundCount === 0 && 'No members match. Search by name or email, or choose others. '}
        {isNarrowed && <Link to={paths.orgSettings(org)}>Clear filter</Link>}
      </p>
    </>
  )
}

type MemberPagesProps = {
  readonly org: string
  readonly shown: ShownMembers['shown']
  readonly foundCount: number
  readonly pageSize: number
}

/** The way to those who do not fit on one page. */
export function MemberPages({ org, shown, foundCount, pageSize }: MemberPagesProps) {
  if (foundCount <= pageSize) return null
  const { page, ...filter } = shown
  const first = (page - 1) * pageSize
  const last = Math.min(first + pageSize, foundCount)
  const to = (at: number): string => paths.orgSettings(org, { ...filter, page: at === 1 ? '' : String(at) })
  return (
    <p className="settings-line" role="navigation" aria-label="Pages of members">
      <span className="muted">
        {first + 1} to {last} of {foundCount}
      </span>
      {page > 1 && <Link to={to(page - 1)}>Previous</Link>}
      {last < foundCount && <Link to={to(page + 1)}>Next</Link>}
    </p>
  )
}
