/** Fetched when a menu that assigns issues is opened: whoever looks, teams and members. */
import { paths } from '../../paths.ts'
import { FilteredList } from '../../shell/filtered-list.tsx'
import { useJson } from '../../shell/use-json.ts'
import { Avatar, faceOf } from '../../ui/avatar.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { UnassignButton } from './unassign-button.tsx'

type Choice = { readonly value: string; readonly name: string; readonly hint: string; readonly isMe: boolean }
export type AssigneeListProps = {
  readonly org: string
  /** Only who sees it; undefined: issues of several. */
  readonly project?: string | undefined
  /** Offered below the list, and not before: whoever goes down and presses Enter while it loads means the list. */
  readonly mayUnassign: boolean
}

const textOf = ({ name, hint, isMe }: Choice): string =>
  isMe ? `Assign to me ${name} ${hint}` : hint === name ? name : `${name} ${hint}`

/** Fetched when a menu that assigns issues is opened: whoever looks, teams and members. Buttons of the form around it, which post whom. */
export function AssigneeList({ org, project, mayUnassign }: AssigneeListProps) {
  const { state, data } = useJson<{ readonly choices: readonly Choice[] }>(
    `${paths.assignees()}?${new URLSearchParams({ org, ...(project !== undefined && { project }) })}`,
  )
  if (state === 'failed')
    return (
      <>
        <p className="menu-note">Couldn’t load members and teams.</p>
        {mayUnassign && <UnassignButton />}
      </>
    )
  if (!data) return <p className="menu-note">Loading…</p>
  const named = Map.groupBy(data.choices, ({ name }) => name)
  return (
    <>
      <FilteredList
        what="members and teams"
        items={data.choices}
        textOf={textOf}
        renderLine={(choice) => (
          <button
            type="submit"
            name="assignee"
            value={choice.value}
            title={choice.hint}
            data-closes
            data-verb="Assign"
            data-suffix={choice.isMe ? 'to you' : `to ${choice.name}`}
          >
            <Avatar of={faceOf(choice.value, choice.name)} />{' '}
            {choice.isMe ? 'Assign to me' : <UserText text={choice.name} />}{' '}
            {!choice.isMe && (named.get(choice.name)?.length ?? 0) > 1 && (
              <span className="muted">
                <UserText text={choice.hint} />
              </span>
            )}
          </button>
        )}
      />
      {mayUnassign && <UnassignButton />}
    </>
  )
}
