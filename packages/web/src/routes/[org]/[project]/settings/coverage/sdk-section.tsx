import type { SdkWeight } from '@sonde/queries'
import { countOf, formatBytes, formatExact, formatShare } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { Count } from '../../../../../ui/count.tsx'
import { EmptyState, TableFrame } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { Refused } from './page.server.ts'

type Sdk = { readonly kind: 'known'; readonly weight: SdkWeight; readonly unused: readonly Unused[] }
type Unused = SdkWeight['integrations'][number]
export type SdkShown = (Sdk & { readonly measured: string }) | Refused

/** Fewer page loads say nothing of an average one. */
const MIN_LOADS = 30

/** What the SDK in the pages weighs: sentences first, then where they come from. */
export function SdkSection({ sdk }: { readonly sdk: SdkShown }) {
  if (sdk.kind === 'refused')
    return (
      <EmptyState title="This cannot be computed">
        <p>
          {sdk.message}. {sdk.hint}
        </p>
      </EmptyState>
    )
  const { weight, unused, measured } = sdk
  const [newest] = weight.sdks
  if (newest === undefined && weight.pageLoads === 0)
    return (
      <EmptyState title="No browser SDK">
        <p>No page of this project sent an event or a page load in the last 30 days.</p>
      </EmptyState>
    )
  return (
    <>
      {unused.length > 0 && (
        <ul>
          {unused.map((each) => (
            <li key={each.name}>
              <UnusedSentence {...each} />
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <div>
          <dt>SDK</dt>
          <dd>
            {newest === undefined
              ? 'not known: only error events name it'
              : weight.sdks.map(({ name, version, gzipBytes }) => (
                  <div key={`${name} ${version}`}>
                    <UserText text={`${name} ${version}`} />,{' '}
                    {gzipBytes === undefined
                      ? 'size not known'
                      : `about ${formatBytes(gzipBytes)} gzip in a bundle`}
                  </div>
                ))}
          </dd>
        </div>
        <div>
          <dt>Main thread</dt>
          <dd>
            <MainThread weight={weight} />
          </dd>
        </div>
      </dl>
      {weight.integrations.length > 0 && <Integrations weight={weight} />}
      {weight.scripts.length > 0 && <Scripts weight={weight} />}
      <Received weight={weight} />
      <ul className="muted">
        <li>
          Sizes were measured by bundling @sentry/browser {measured} with each integration alone; other
          versions and bundlers differ by some percent, and unused code that a bundler leaves out weighs
          nothing.
        </li>
        <li>
          Integrations are read from the newest error events. One that adds to events, or does nothing that is
          stored, cannot be called unused.
        </li>
        <li>Requests and bytes that the SDK sends are not counted by project: not known.</li>
      </ul>
    </>
  )
}

/** Silence may be what they are there for. */
const REPORTS_FAILURES = new Set(['HttpClient', 'ReportingObserver', 'CaptureConsole'])

function UnusedSentence({ name, gzipBytes, discarded }: Unused) {
  return (
    <>
      <strong>
        <code>{name}</code> is in your pages
        {gzipBytes !== undefined && ` (about ${formatBytes(gzipBytes)} gzip)`} and sent nothing in 30 days.
      </strong>{' '}
      {discarded > 0
        ? `The SDK dropped ${countOf(discarded, 'item')} of it, mostly for a sample rate: raise that, or remove it.`
        : REPORTS_FAILURES.has(name)
          ? 'Nothing happened that it reports: keep it if you wait for that.'
          : 'Remove it from the SDK’s integrations, or load it only where it is used.'}
    </>
  )
}

function MainThread({ weight: { frames, scripts } }: { readonly weight: SdkWeight }) {
  if (frames === undefined) return <>not known: no page told of long animation frames</>
  if (scripts.length === 0)
    return <>not known: the SDK is part of a bundle, whose time is not told apart from the app’s</>
  return (
    <>
      {formatDuration(frames.sdkMs)} of {formatDuration(frames.ms)} in long animation frames (
      {formatShare(frames.sdkMs, frames.ms)}): those that began in its script, with what the app did in
      handlers that the SDK wraps
    </>
  )
}

function Integrations({ weight: { integrations } }: { readonly weight: SdkWeight }) {
  return (
    <TableFrame label="Integrations of the SDK">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Integration</th>
            <th scope="col" className="col-end">
              Adds, gzip
            </th>
            <th scope="col" className="col-end">
              Sent in 30 days
            </th>
          </tr>
        </thead>
        <tbody>
          {integrations.map(({ name, gzipBytes, sent }) => (
            <tr key={name}>
              <th scope="row">
                <UserText text={name} />
              </th>
              <td className="col-end">
                {gzipBytes === undefined ? (
                  <span className="muted">not measured</span>
                ) : (
                  <span className="num">{formatBytes(gzipBytes)}</span>
                )}
              </td>
              <td className="col-end">
                {sent === undefined ? (
                  <span className="muted">cannot be told</span>
                ) : (
                  <Count value={sent} noun="item" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Scripts({ weight: { scripts } }: { readonly weight: SdkWeight }) {
  const size = (bytes: number) =>
    bytes === 0 ? <span className="muted">not told</span> : <span className="num">{formatBytes(bytes)}</span>
  return (
    <TableFrame label="Scripts of the SDK">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Script</th>
            <th scope="col" className="col-end">
              Loads
            </th>
            <th scope="col" className="col-end">
              Transfer
            </th>
            <th scope="col" className="col-end">
              Decoded
            </th>
            <th scope="col" className="col-end">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {scripts.map(({ name, loads, transferBytes, decodedBytes, durationMs }) => (
            <tr key={name}>
              <th scope="row">
                <UserText text={name} />
              </th>
              <td className="col-end">
                <Count value={loads} noun="load" />
              </td>
              <td className="col-end">{size(transferBytes)}</td>
              <td className="col-end">{size(decodedBytes)}</td>
              <td className="col-end">{formatDuration(durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** Items a page load: of the whole project, which a server may share. */
function Received({ weight: { received, pageLoads } }: { readonly weight: SdkWeight }) {
  if (pageLoads < MIN_LOADS || received.length === 0) return null
  const each = received
    .map(({ category, items }) => ({ category, rate: items / pageLoads }))
    .filter(({ rate }) => rate >= 0.01)
  return (
    <p>
      Items received in the last 30 days for each of {formatExact(pageLoads)} page loads:{' '}
      {each
        .map(({ category, rate }) => `${category.replaceAll('_', ' ')} ${rate.toFixed(rate < 10 ? 2 : 0)}`)
        .join(', ')}
      . They include what servers sent to the same project.
    </p>
  )
}
