import { Form } from '@sonde/router'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { LimitFields } from './limit-form.tsx'
import { limitText } from './limit-text.ts'

const GRACE: readonly (readonly [number, string])[] = [
  [0, 'expires now'],
  [24, 'expires in 24 hours'],
  [168, 'expires in 7 days'],
  [720, 'expires in 30 days'],
]

/** What can be done with one key. Each is a form of its own: it works without JavaScript. */
function KeyActions({ item }: { readonly item: KeyRow }) {
  const { id, label, isActive, rateLimit } = item
  const state = useFormState(`key-${id}`)
  const { errorOf, isRefused, valueOf } = state
  const which = (
    <>
      <input type="hidden" name="form" value="key" />
      <input type="hidden" name="keyId" value={id} />
    </>
  )
  return (
    <div className="key-actions">
      <Form>
        {which}
        <button
          type="submit"
          name="does"
          value={isActive ? 'disable' : 'enable'}
          className="button button-small"
          aria-label={`${isActive ? 'Disable' : 'Enable'} key ${label}`}
        >
          {isActive ? 'Disable' : 'Enable'}
        </button>
      </Form>
      <details className="key-fold" open={isRefused}>
        <summary aria-label={`Edit key ${label}`}>Edit</summary>
        <Form className="settings-form" key={`${label} ${rateLimit?.count} ${rateLimit?.windowSec}`}>
          {which}
          <Field
            id={`key-label-${id}`}
            name="label"
            label="Key name"
            required
            maxLength={100}
            defaultValue={valueOf('label', label)}
            error={errorOf('label')}
          />
          <LimitFields idPrefix={`key-${id}`} limit={rateLimit} state={state} />
          <button type="submit" className="button" name="does" value="change">
            Save key
          </button>
        </Form>
      </details>
      <details className="key-fold">
        <summary aria-label={`Rotate key ${label}`}>Rotate</summary>
        <Form className="settings-form">
          {which}
          <p>The new key keeps this name and rate limit.</p>
          <div className="field">
            <label htmlFor={`key-grace-${id}`}>The old key</label>
            <select id={`key-grace-${id}`} name="graceHours" className="input" defaultValue="168">
              {GRACE.map(([hours, name]) => (
                <option key={hours} value={hours}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" className="button" name="does" value="rotate">
            Rotate key
          </button>
        </Form>
      </details>
      <details className="key-fold">
        <summary aria-label={`Delete key ${label}`}>Delete</summary>
        <Form className="settings-form danger">
          {which}
          <p>Events sent with this DSN will be rejected. Stored events are kept.</p>
          <button type="submit" className="button button-danger" name="does" value="delete">
            Delete key
          </button>
        </Form>
      </details>
    </div>
  )
}

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
