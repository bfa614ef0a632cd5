import { KeyActions } from './key-actions.tsx'
import { limitText } from './limit-text.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

export type KeyRow = {
  readonly id: number
  readonly label: string
  readonly dsn: string
  readonly isActive: boolean
  /** When a rotated key stops working. */
  readonly activeUntilMs?: number | undefined
  readonly rateLimit?: { readonly count: number; readonly windowSec: number } | undefined
  readonly createdMs: number
  /** Of the last 24 hours; undefined: nothing came with it. */
  readonly usage?: KeyDay | undefined
}

type KeyDay = {
  readonly accepted: number
  readonly filtered: number
  readonly rateLimited: number
  readonly other: number
  readonly hourly: readonly number[]
  readonly lastMs?: number | undefined
}

export type KeyTableProps = { readonly keys: readonly KeyRow[]; readonly mayWrite: boolean }

/** The client keys with what came in with each of them. */
export function KeyTable({ keys, mayWrite }: KeyTableProps) {
  if (keys.length === 0) return <p className="muted">No client keys. This project can’t receive events.</p>
  return (
    <ul className="key-list">
      {keys.map((key) => (
        <li key={key.id} className={key.isActive ? undefined : 'key-off'}>
          <p className="key-name">
            <UserText text={key.label} />
            <Badge tone={key.isActive ? 'good' : 'neutral'}>{key.isActive ? 'active' : 'disabled'}</Badge>
            <span className="muted">
              created <Ago atMs={key.createdMs} /> ·{' '}
              {key.rateLimit ? `limited to ${limitText(key.rateLimit)}` : 'no rate limit'}
              {key.isActive && key.activeUntilMs !== undefined && (
                <>
                  {' '}
                  · rotated, expires{' '}
                  <time dateTime={new Date(key.activeUntilMs).toISOString()}>
                    {new Date(key.activeUntilMs).toISOString().slice(0, 16).replace('T', ' ')} UTC
                  </time>
                </>
              )}
            </span>
          </p>
          <div className="dsn">
            <code title={key.dsn}>{key.dsn}</code>
            <CopyButton text={key.dsn} what={`DSN ${key.label}`} />
          </div>
          <KeyUse usage={key.usage} />
          {mayWrite && <KeyActions item={key} />}
        </li>
      ))}
    </ul>
  )
}

function KeyUse({ usage }: { readonly usage: KeyDay | undefined }) {
  if (!usage) return <p className="key-use muted">No events in the last 24 hours.</p>
  const rest = [
    ['filtered', usage.filtered],
    ['rate limited', usage.rateLimited],
    ['rejected (other)', usage.other],
  ] as const
  return (
    <div className="key-use">
      <div className="key-spark">
        <Sparkline counts={usage.hourly} period="24 hours" step="hour" noun="item" />
      </div>
      <p>
        24 hours: <Count value={usage.accepted} noun="item" /> accepted
        {rest.map(([name, count]) =>
          count === 0 ? null : (
            <span key={name}>
              {' · '}
              <Count value={count} noun="item" /> {name}
            </span>
          ),
        )}
        {usage.lastMs !== undefined && (
          <span className="muted">
            {' '}
            · last <Ago atMs={usage.lastMs} />
          </span>
        )}
      </p>
    </div>
  )
}
