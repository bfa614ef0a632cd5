import type { Json, UserInfo } from '@sonde/protocol/event'
import { KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'

const NAMES: readonly (readonly [keyof UserInfo, string])[] = [
  ['id', 'Id'],
  ['username', 'Username'],
  ['name', 'Name'],
  ['email', 'E-mail'],
  ['ip_address', 'IP address'],
  ['geo', 'Location'],
]

export function UserSection({ user }: { readonly user: UserInfo }) {
  const known = NAMES.flatMap(([field, name]): (readonly [string, Json])[] => {
    const value = user[field]
    return value === undefined ? [] : [[name, value]]
  })
  const rows = [...known, ...Object.entries(user.data ?? {})]
  if (rows.length === 0) return null
  return (
    <Section id="user" title="User">
      <KeyValues caption="User" rows={rows} />
    </Section>
  )
}
