import { titleOf } from './user-text.tsx'

/** A person, a team, or what is neither: an event, a token, a program. */
export type Face = { readonly type: 'user' | 'team' | 'other'; readonly id: string; readonly name: string }

/** `user:ID`, `team:ID`. */
export function faceOf(value: string, name: string): Face {
  const at = value.indexOf(':')
  return { type: value.startsWith('team:') ? 'team' : 'user', id: value.slice(at + 1), name }
}

/** As many as tokens.css has. */
const HUES = 6

/** By the id, which stays when somebody changes their name. FNV-1a: ids that differ in one sign have other colours. */
export function hueOf({ type, id }: Pick<Face, 'type' | 'id'>): number {
  let hash = 0x811c9dc5
  for (const sign of `${type}:${id}`) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return ((hash >>> 0) % HUES) + 1
}

/** `AL` of Ada Lovelace, `AD` of ada@example.com, `#` of a team. */
function initialsOf({ type, name }: Pick<Face, 'type' | 'name'>): string {
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

/** Beside a name that says who it is. Initials, never a picture: nothing is asked of another host. */
export function Avatar({ of }: { readonly of: Face }) {
  return (
    <span className="avatar" data-type={of.type} data-hue={hueOf(of)} aria-hidden="true">
      {of.type === 'other' ? '' : initialsOf(of)}
    </span>
  )
}

export type ShownAssignee = {
  readonly type: 'user' | 'team'
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Whose an issue is: initials, and the name where there is room for it. */
export function AssigneeMark({ assignee }: { readonly assignee: ShownAssignee }) {
  const { type, name, email } = assignee
  return (
    <span className="assignee" title={titleOf(email === '' || email === name ? name : `${name}, ${email}`)}>
      <Avatar of={assignee} />
      <bdi className="assignee-name">{type === 'team' ? name.slice(1) : name}</bdi>
    </span>
  )
}
