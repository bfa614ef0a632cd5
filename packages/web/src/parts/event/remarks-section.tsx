import type { FieldRemark, ProcessingError } from '@sonde/protocol/event'
import { formatExact } from '../../format/format-count.ts'
import { JsonValue } from '../../ui/json-value.tsx'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'

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
