import { titleOf } from './user-text.tsx'

export type ShownAssignee = { readonly type: 'user' | 'team'; readonly name: string; readonly email: string }

/** `AL` of Ada Lovelace, `AD` of ada@example.com, `#` of a team. */
function initialsOf({ type, name }: Pick<ShownAssignee, 'type' | 'name'>): string {
  if (type === 'team') return '#'
  const [local = ''] = name.split('@')
  const words = local.split(/[\s._-]+/).filter((word) => word !== '')
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0], words[0]?.slice(1)]
  return (
    letters
      .map((text) => firstSign(text ?? ''))
      .join('')
      .toUpperCase() || '?'
  )
}

const firstSign = (text: string): string => {
  const sign = text.codePointAt(0)
  return sign === undefined ? '' : String.fromCodePoint(sign)
}

/** Whose an issue is: initials, and the name where there is room for it. */
export function AssigneeMark({ assignee }: { readonly assignee: ShownAssignee }) {
  const { type, name, email } = assignee
  return (
    <span className="assignee" title={titleOf(email === '' || email === name ? name : `${name}, ${email}`)}>
      <span className="assignee-mark" data-type={type} aria-hidden="true">
        {initialsOf(assignee)}
      </span>
      <bdi className="assignee-name">{type === 'team' ? name.slice(1) : name}</bdi>
    </span>
  )
}
