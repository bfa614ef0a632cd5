/** What was around the event, and what sent it. */
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import { countOf } from '../../format/format-count.ts'
import { fieldsOf, KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { LazyFold } from './lazy-fold.tsx'

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

type SdkProps = {
  readonly event: Pick<NormalizedEvent, 'sdk' | 'modules' | 'platform' | 'server_name' | 'logger' | 'dist'>
}

/** What sent it, and which packages ran beside it. */
export function SdkSection({ event }: SdkProps) {
  const { sdk, modules, platform, server_name, logger, dist } = event
  const packages = Object.entries(modules ?? {})
  const rows = [
    ['Platform', platform],
    ['SDK', [sdk?.name, sdk?.version].filter((part) => part !== undefined).join(' ')],
    ['Server', server_name ?? ''],
    ['Logger', logger ?? ''],
    ['Distribution', dist ?? ''],
    ['Integrations', sdk?.integrations?.join(', ') ?? ''],
  ] as const
  return (
    <Section id="sdk" title="SDK and packages">
      <KeyValues caption="SDK" rows={rows.filter(([, value]) => value !== '')} />
      {packages.length > 0 && (
        <LazyFold
          className="fold"
          summary={countOf(packages.length, 'package')}
          isEager={packages.length <= 40}
        >
          {() => <KeyValues caption="Packages" rows={packages} />}
        </LazyFold>
      )}
    </Section>
  )
}
