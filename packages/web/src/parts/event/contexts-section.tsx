import type { JsonObject } from '@sonde/protocol/event'
import { fieldsOf } from '../../ui/json-value.tsx'
import { KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'

const NAMES: Readonly<Record<string, string>> = {
  browser: 'Browser',
  os: 'Operating system',
  client_os: 'Operating system of the client',
  device: 'Device',
  runtime: 'Runtime',
  app: 'App',
  trace: 'Trace',
  response: 'Response',
  culture: 'Culture',
  cloud_resource: 'Cloud resource',
  feedback: 'Feedback',
}

type Props = { readonly contexts: Readonly<Record<string, JsonObject>> }

/** What was around: browser, operating system, device, runtime, trace, and what the application added. */
export function ContextsSection({ contexts }: Props) {
  const shown = Object.entries(contexts)
    .map(([key, context]) => ({ key, rows: fieldsOf(context, ['type']) }))
    .filter(({ rows }) => rows.length > 0)
  if (shown.length === 0) return null
  return (
    <Section id="contexts" title="Contexts">
      <div className="context-grid">
        {shown.map(({ key, rows }) => (
          <div key={key} className="context">
            <h3 className="part-title">{Object.hasOwn(NAMES, key) ? NAMES[key] : <UserText text={key} />}</h3>
            <KeyValues caption={key} rows={rows} />
          </div>
        ))}
      </div>
    </Section>
  )
}
