/** Fetched when a menu that assigns issues is opened: whoever looks, teams and members. */
import { paths } from '../../paths.ts'
import { FilteredList } from '../../shell/filtered-list.tsx'
import { useJson } from '../../shell/use-json.ts'
import { UserText } from '../../ui/user-text.tsx'

type Choice = { readonly value: string; readonly name: string; readonly hint: string; readonly isMe: boolean }
export type AssigneeListProps = { readonly org: string }

const textOf = ({ name, hint, isMe }: Choice): string =>
  isMe ? `Assign to me ${name} ${hint}` : hint === name ? name : `${name} ${hint}`

/** Fetched when a menu that assigns issues is opened: whoever looks, teams and members. Buttons of the form around it, which post whom. */
export function AssigneeList({ org }: AssigneeListProps) {
  const { state, data } = useJson<{ readonly choices: readonly Choice[] }>(
    `${paths.assignees()}?org=${encodeURIComponent(org)}`,
  )
  if (state === 'failed') return <p className="menu-note">Couldn’t load members and teams.</p>
  if (!data) return <p className="menu-note">Loading…</p>
  return (
    <FilteredList
      what="members and teams"
      items={data.choices}
      textOf={textOf}
      renderLine={(choice) => (
        <button type="submit" name="assignee" value={choice.value} title={choice.hint} data-closes>
          {choice.isMe ? 'Assign to me' : <UserText text={choice.name} />}
        </button>
      )}
    />
  )
}
