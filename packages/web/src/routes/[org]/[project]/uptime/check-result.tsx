import type { UptimeCheck } from '@sonde/alerts'
import { Badge } from '../../../../ui/badge.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { outcomeWords } from './uptime-words.ts'

const PHASES = [
  ['DNS', 'dnsMs'],
  ['Connect', 'connectMs'],
  ['TLS', 'tlsMs'],
  ['First byte', 'firstByteMs'],
  ['Download', 'downloadMs'],
  ['Total', 'totalMs'],
] as const

/** What a check came to that somebody asked for. */
export function CheckResult({ check }: { readonly check: UptimeCheck }) {
  const { outcome, reason, status, timings, address, redirects, bytes, certificateUntilMs } = check
  return (
    <div className="uptime-result" role="status">
      <p>
        <Badge tone={outcome === 'up' ? 'good' : 'bad'}>{outcomeWords(outcome)}</Badge>{' '}
        {reason !== '' && <UserText text={reason} />}
      </p>
      <dl className="uptime-facts">
        <div>
          <dt>Status</dt>
          <dd>{status === 0 ? '–' : status}</dd>
        </div>
        {PHASES.map(([name, key]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{timings[key].toFixed(timings[key] < 10 ? 1 : 0)} ms</dd>
          </div>
        ))}
        <div>
          <dt>Address</dt>
          <dd>{address === '' ? '–' : address}</dd>
        </div>
        <div>
          <dt>Redirects</dt>
          <dd>{redirects}</dd>
        </div>
        <div>
          <dt>Body</dt>
          <dd>{bytes.toLocaleString('en-US')} bytes</dd>
        </div>
        {certificateUntilMs !== undefined && (
          <div>
            <dt>Certificate until</dt>
            <dd>
              <ExactTime atMs={certificateUntilMs} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  )
}
