import type { NormalizedEvent } from '@sonde/protocol/event'
import { UserText } from '../ui/user-text.tsx'
import { highlights } from './highlights.ts'

export function HighlightList({ event }: { readonly event: NormalizedEvent }) {
  const shown = highlights(event)
  if (shown.length === 0) return null
  return (
    <dl className="highlights">
      {shown.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <UserText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
