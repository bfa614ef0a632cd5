import type { GroupingReason } from '@sonde/queries'
import { Section } from '../../ui/section.tsx'
import { LongText } from '../../ui/long-text.tsx'

const BASES: Readonly<Record<string, string>> = {
  fingerprint: 'the fingerprint that the SDK sent',
  checksum: 'the checksum that the SDK sent',
  stacktrace: 'the frames of its stack trace',
  exception: 'the type and value of its exception',
  message: 'its message',
  security: 'what was reported and where',
  fallback: 'fallback: no groupable data',
}

/** Why the event is in this issue: the values that decided, and what was left out of them. */
export function GroupingSection({ grouping }: { readonly grouping: GroupingReason }) {
  const { trace, hashes } = grouping
  if (!trace) return null
  const [primary] = trace.hashes
  return (
    <Section id="grouping" title="Event grouping">
      <p>Grouped by {BASES[trace.basis] ?? trace.basis}. Events with the same values are grouped together.</p>
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
