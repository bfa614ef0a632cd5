import { Form } from '@sonde/router'
import { Field } from '../../../ui/field.tsx'

/** Fewer are found by looking. */
const LOOKED_THROUGH = 20

export type MemberSearchProps = {
  readonly search: string
  readonly memberCount: number
  readonly foundCount: number
  readonly shown: number
}

/** Finds somebody among many, by a part of the name or address. */
export function MemberSearch({ search, memberCount, foundCount, shown }: MemberSearchProps) {
  if (memberCount <= LOOKED_THROUGH && search === '') return null
  return (
    <>
      <Form method="get" className="settings-line" key={search}>
        <Field
          id="member-search"
          name="q"
          label="Search members"
          type="search"
          defaultValue={search}
          autoComplete="off"
        />
        <button type="submit" className="button">
          {' '}
          Search{' '}
        </button>
      </Form>
      {foundCount === 0 && <p role="status">No members match “{search}”. Search by name or email.</p>}
      {foundCount > shown && (
        <p role="status" className="muted">
          Showing {shown} of {foundCount}. Search to find others.
        </p>
      )}
    </>
  )
}
