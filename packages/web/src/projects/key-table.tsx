import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Ago } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'

export type KeyRow = {
  readonly id: number
  readonly label: string
  readonly dsn: string
  readonly isActive: boolean
  readonly rateLimit?: { readonly count: number; readonly windowSec: number } | undefined
  readonly createdMs: number
}

export function KeyTable({ keys }: { readonly keys: readonly KeyRow[] }) {
  return (
    <ul className="key-list">
      {keys.map((key) => (
        <li key={key.id} className={key.isActive ? undefined : 'key-off'}>
          <p className="key-name">
            <UserText text={key.label} />
            <Badge tone={key.isActive ? 'good' : 'neutral'}>{key.isActive ? 'active' : 'disabled'}</Badge>
            <span className="muted">
              made <Ago atMs={key.createdMs} /> ·{' '}
              {key.rateLimit
                ? `at most ${key.rateLimit.count} events in ${key.rateLimit.windowSec} s`
                : 'no rate limit'}
            </span>
          </p>
          <div className="dsn">
            <code title={key.dsn}>{key.dsn}</code>
            <CopyButton text={key.dsn} what={`DSN ${key.label}`} />
          </div>
        </li>
      ))}
    </ul>
  )
}
