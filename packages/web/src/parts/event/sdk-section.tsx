import type { NormalizedEvent } from '@sonde/protocol/event'
import { countOf } from '../../format/format-count.ts'
import { KeyValues } from '../../ui/key-values.tsx'
import { Section } from '../../ui/section.tsx'
import { LazyFold } from './lazy-fold.tsx'

type Props = {
  readonly event: Pick<NormalizedEvent, 'sdk' | 'modules' | 'platform' | 'server_name' | 'logger' | 'dist'>
}

/** What sent it, and which packages ran beside it. */
export function SdkSection({ event }: Props) {
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
