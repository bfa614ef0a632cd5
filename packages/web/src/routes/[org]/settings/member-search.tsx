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
          label="Find a member"
          type="search"
          defaultValue={search}
          autoComplete="off"
        />
        <button type="submit" className="button">
          Find
        </button>
      </Form>
      {foundCount === 0 && (
        <p role="status">Nobody is called “{search}”. Try a part of the name or the address.</p>
      )}
      {foundCount > shown && (
        <p role="status" className="muted">
          The first {shown} of {foundCount}. Type a part of a name to see others.
        </p>
      )}
    </>
  )
}
