import type { ProjectTrend } from '@sonde/queries'
import { Link } from '@sonde/router'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Count } from '../../ui/count.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Ago } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

export type CardProject = {
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly unresolvedCount: number
  readonly dsn?: string | undefined
  readonly firstEventMs?: number | undefined
  readonly overview: {
    readonly users24h: number
    readonly newIssues24h: number
    readonly lastEventMs?: number | undefined
  }
  readonly trend: {
    readonly errors24h: number
    readonly hours: readonly number[]
    readonly release?: ProjectTrend['release']
  }
}

export function ProjectCard({ org, project }: { readonly org: string; readonly project: CardProject }) {
  const { slug, name, platform, unresolvedCount, dsn, overview, trend } = project
  return (
    <article className="project-card">
      <div className="project-name">
        <h2>
          <Link to={paths.issues(org, slug)}>
            <UserText text={name} />
          </Link>
        </h2>
        <p className="project-facts muted">
          <span>{platform}</span>
          <span>
            <LastEvent project={project} />
          </span>
          {trend.release && (
            <span className="project-release">
              release{' '}
              <Link to={paths.release(org, slug, trend.release.name)}>
                <UserText text={trend.release.name} />
              </Link>{' '}
              <Ago atMs={trend.release.firstSeenMs} />
            </span>
          )}
        </p>
      </div>
      <div className="project-trend">
        <Sparkline counts={trend.hours} period="24 hours" step="hour" height={32} />
        <p className="muted" aria-hidden="true">
          Events, 24 h
        </p>
      </div>
      <dl className="figures">
        <Figure label="Errors, 24 h" value={trend.errors24h} noun="error" />
        <Figure label="Users, 24 h" value={overview.users24h} noun="user" />
        <Figure label="New, 24 h" value={overview.newIssues24h} noun="issue" />
        <Figure label="Unresolved" value={unresolvedCount} noun="issue" isAlert={unresolvedCount > 0} />
      </dl>
      <div className="dsn">
        {dsn === undefined ? (
          <span className="muted">All keys are disabled. No events are accepted.</span>
        ) : (
          <>
            <code title={dsn}>{dsn}</code>
            <CopyButton text={dsn} what={`DSN of ${name}`} />
          </>
        )}
      </div>
    </article>
  )
}

type FigureProps = { label: string; value: number; noun: string; isAlert?: boolean }

function Figure({ label, value, noun, isAlert = false }: FigureProps) {
  return (
    <div className={isAlert ? 'figure figure-alert' : 'figure'}>
      <dt>{label}</dt>
      <dd>
        <Count value={value} noun={noun} />
      </dd>
    </div>
  )
}

function LastEvent({ project }: { readonly project: CardProject }) {
  const { lastEventMs } = project.overview
  if (lastEventMs !== undefined) {
    return (
      <>
        last event <Ago atMs={lastEventMs} />
      </>
    )
  }
  return project.firstEventMs === undefined ? <>waiting for first event</> : <>no events in 24 hours</>
}
