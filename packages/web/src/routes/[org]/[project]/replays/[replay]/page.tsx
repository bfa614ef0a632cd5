import '../../../../../parts/performance/performance.css'
import '../replays.css'
import './player.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { formatExact } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import { paths } from '../../../../../paths.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { useIsInBrowser } from '../../../../../ui/page-clock.tsx'
import { ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { ReplayPlayer } from './replay-player.tsx'

export const title = (): string => 'Replay · Sonde'

export default function ReplayPage() {
  const { org, project } = useParams<'org' | 'project' | 'replay'>()
  const replay = usePageData<typeof load>()
  const isInBrowser = useIsInBrowser()
  const kept = usePaths()
  const facts = [
    replay.browser,
    replay.os,
    replay.device,
    replay.country,
    replay.release,
    replay.environment,
  ].filter((fact) => fact !== '')
  return (
    <div className="page page-wide">
      <p>
        <Link className="text-link" to={kept.replays(org, project)}>
          Replays
        </Link>
      </p>
      <h1>
        <UserText text={replay.userName || 'Anonymous visitor'} />
      </h1>
      <p>
        <ExactTime atMs={replay.startedMs} /> · {formatDuration(replay.durationMs)} ·{' '}
        {formatExact(replay.errors)} {replay.errors === 1 ? 'error' : 'errors'}
        {facts.map((fact, index) => (
          <span key={index}>
            {' · '}
            <UserText text={fact} />
          </span>
        ))}
      </p>
      {replay.recorded === 0 ? (
        <p className="empty">
          No recording is kept of this replay: only its events came, or its recording was longer than one may
          be.
        </p>
      ) : isInBrowser ? (
        <ReplayPlayer org={org} project={project} replay={replay} />
      ) : (
        <p className="muted replay-stage-empty">The player needs JavaScript.</p>
      )}
      <ReplayFacts org={org} project={project} replay={replay} />
    </div>
  )
}

type Props = {
  readonly org: string
  readonly project: string
  readonly replay: Awaited<ReturnType<typeof load>>
}

/** What does not depend on the player: errors, traces, and deletion. */
function ReplayFacts({ org, project, replay }: Props) {
  return (
    <div className="replay-facts">
      <section aria-labelledby="replay-errors">
        <h2 id="replay-errors">Errors</h2>
        {replay.happened.length === 0 ? (
          <p className="muted">No error that is kept happened in this replay.</p>
        ) : (
          <ul className="replay-fact-list">
            {replay.happened.map((error) => (
              <li key={error.eventId}>
                <Link
                  className="text-link"
                  to={paths.event(org, project, String(error.issueId), error.eventId)}
                  prefetch="none"
                >
                  {error.shortId}
                </Link>{' '}
                <UserText text={error.title} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="replay-traces">
        <h2 id="replay-traces">Traces</h2>
        {replay.traceIds.length === 0 ? (
          <p className="muted">No trace is named by this replay.</p>
        ) : (
          <ul className="replay-fact-list">
            {replay.traceIds.slice(0, 20).map((trace) => (
              <li key={trace}>
                <Link className="text-link" to={paths.trace(org, trace)} prefetch="none">
                  {trace.slice(0, 8)}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      {replay.seenBy.length > 0 && (
        <section aria-labelledby="replay-seen">
          <h2 id="replay-seen">Seen by</h2>
          <ul className="replay-fact-list">
            {replay.seenBy.map((name, index) => (
              <li key={index}>
                <UserText text={name} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {replay.mayDelete && (
        <details className="fold">
          <summary>Delete replay</summary>
          <p>Its recording and everything measured in it is removed. This cannot be undone.</p>
          <Form method="post">
            <button type="submit" className="button button-danger">
              Delete this replay
            </button>
          </Form>
        </details>
      )}
    </div>
  )
}
