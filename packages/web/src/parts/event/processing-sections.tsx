/** What ingestion did to the event: why it is in this issue, and what was changed in it. */
import type { FieldRemark, ProcessingError } from '@sonde/protocol/event'
import type { GroupingReason } from '@sonde/queries'
import { formatExact } from '../../format/format-count.ts'
import { JsonValue } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { LongText, UserText } from '../../ui/user-text.tsx'

const BASES: Readonly<Record<string, string>> = {
  fingerprint: 'the fingerprint that the SDK sent',
  checksum: 'the checksum that the SDK sent',
  stacktrace: 'the frames of its stack trace',
  exception: 'the type and value of its exception',
  message: 'its message',
  security: 'what was reported and where',
  request: 'the request that failed: endpoint, route and cause',
  hydration: 'where React could not keep the server’s HTML: route and component',
  fallback: 'fallback: no groupable data',
}

/** Why the event is in this issue: the values that decided, and what was left out of them. */
export function GroupingSection({ grouping }: { readonly grouping: GroupingReason }) {
  const { trace, hashes } = grouping
  if (!trace) return null
  const [primary] = trace.hashes
  return (
    <Section id="grouping" title="Event grouping">
      <p>
        Grouped by {trace.rule === undefined ? (BASES[trace.basis] ?? trace.basis) : 'a fingerprint rule'}.
        Events with the same values are grouped together.
      </p>
      {trace.rule !== undefined && <Rule text={trace.rule} />}
      {trace.stackRules?.map(({ rule, frames }) => (
        <Rule key={rule} text={rule} frames={frames} />
      ))}
      <table className="key-values grouping-table">
        <caption className="sr-only">Grouping values</caption>
        <tbody>
          {trace.parts.slice(0, 100).map(({ from, value, note }, index) => (
            <tr key={index}>
              <th scope="row">{from}</th>
              <td>
                <code>
                  <LongText text={value} max={400} />
                </code>
                {note !== undefined && <span className="muted"> {note}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted">
        Version {trace.version}
        {primary !== undefined && (
          <>
            , hash <code>{primary}</code>
          </>
        )}
        {hashes.length > 1 && `; ${hashes.length} hashes lead to this issue`}
      </p>
    </Section>
  )
}

/** A rule of the project, as it was written. `frames`: how many it changed. */
function Rule({ text, frames }: { readonly text: string; readonly frames?: number }) {
  return (
    <p>
      <code>
        <UserText text={text} />
      </code>
      {frames !== undefined && <span className="muted"> changed {formatExact(frames)} frames</span>}
    </p>
  )
}

type Props = {
  readonly errors: readonly ProcessingError[]
  readonly meta: Readonly<Record<string, FieldRemark>>
}

const MAX_SHOWN = 100

/** What was not taken over as it came: fields that were wrong, trimmed or scrubbed. */
export function RemarksSection({ errors, meta }: Props) {
  const remarks = Object.entries(meta)
  if (errors.length + remarks.length === 0) return null
  return (
    <Section id="processing" title="Processing notes" note="data changed during ingestion">
      <ul className="remarks">
        {errors.slice(0, MAX_SHOWN).map(({ type, name, value }, index) => (
          <li key={index}>
            <code>
              <UserText text={name ?? 'event'} />
            </code>{' '}
            {type.replaceAll('_', ' ')}
            {value !== undefined && value !== null && (
              <>
                : <JsonValue value={value} depth={1} />
              </>
            )}
          </li>
        ))}
        {remarks.slice(0, MAX_SHOWN).map(([path, { remarks: entries, originalLength }]) => (
          <li key={path}>
            <code>
              <UserText text={path} />
            </code>{' '}
            {entries
              .map(({ rule, kind }) => (rule === '' || rule === kind ? kind : `${kind} (${rule})`))
              .join(', ')}
            {originalLength !== undefined && (
              <span className="muted">, originally {formatExact(originalLength)} characters</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
