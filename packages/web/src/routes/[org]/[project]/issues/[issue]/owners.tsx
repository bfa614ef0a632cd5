import { Form } from '@sonde/router'
import { Avatar, faceOf } from '../../../../../ui/avatar.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

export type ShownOwner = {
  /** `user:ID`, `team:ID`. */
  readonly value: string
  readonly name: string
  readonly isByCommit: boolean
  /** The rule's line, or the commit's hash. */
  readonly reason: string
  readonly matched: string
  readonly mayAssign: boolean
}

/** Who owns what the shown event is about, each with why, and one press to assign it. */
export function Owners({ owners }: { readonly owners: readonly ShownOwner[] }) {
  if (owners.length === 0) return null
  return (
    <section className="suspects" aria-labelledby="owners-title">
      <h2 id="owners-title">Owners</h2>
      <ul>
        {owners.map(({ value, name, isByCommit, reason, matched, mayAssign }) => (
          <li key={value}>
            <Avatar of={faceOf(value, name)} /> <UserText text={name} />
            {isByCommit ? (
              <span className="muted">
                changed <UserText text={matched} /> in <code title={reason}>{reason.slice(0, 8)}</code>
              </span>
            ) : (
              <span className="muted">
                <code>{reason}</code> matches <UserText text={matched} />
              </span>
            )}
            {mayAssign && (
              <Form>
                <button type="submit" className="button button-small" name="assignee" value={value}>
                  Assign to <UserText text={name} />
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
