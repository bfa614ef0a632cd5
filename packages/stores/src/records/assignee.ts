/** To whom an issue is assigned, as text: `user:ID`, `team:ID`; empty: to nobody. */
import type { Selectable } from 'kysely'
import type { AssigneeColumns } from './triage-tables.ts'

export type AssigneeText = '' | `user:${string}` | `team:${number}`

export const assigneeOf = (row: Selectable<AssigneeColumns>): AssigneeText =>
  row.assignee_user_id !== null
    ? `user:${row.assignee_user_id}`
    : row.assignee_team_id === null
      ? ''
      : `team:${row.assignee_team_id}`

/** Undefined for text that is none. Says nothing of whether there is such a person or team. */
export function readAssignee(text: string): AssigneeText | undefined {
  if (text === '' || /^user:[\w-]{1,100}$/.test(text)) return text as AssigneeText
  return /^team:[1-9]\d{0,14}$/.test(text) ? `team:${Number(text.slice(5))}` : undefined
}

/** Sets both columns: an issue has one assignee. */
export const assigneeColumns = (assignee: AssigneeText): Selectable<AssigneeColumns> => ({
  assignee_user_id: assignee.startsWith('user:') ? assignee.slice(5) : null,
  assignee_team_id: assignee.startsWith('team:') ? Number(assignee.slice(5)) : null,
})
