import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Count } from '../ui/count.tsx'
import { Ago } from '../ui/time.tsx'
import { UserText } from '../ui/user-text.tsx'

export type CardProject = {
  readonly slug: string
  readonly name: string
  readonly platform: string
  readonly unresolvedCount: number
  readonly dsn?: string | undefined
  readonly firstEventMs?: number | undefined
  readonly overview: {
    readonly events24h: number
    readonly users24h: number
    readonly newIssues24h: number
    readonly lastEventMs?: number | undefined
  }
}

export function ProjectCard({ org, project }: { readonly org: string; readonly project: CardProject }) {
  const { slug, name, platform, unresolvedCount, dsn, overview } = project
  return (
    <article className="project-card">
      <div className="project-name">
        <h2>
          <Link to={paths.issues(org, slug)}>
            <UserText text={name} />
          </Link>
        </h2>
        <p className="muted">
          {platform} · <LastEvent project={project} />
        </p>
      </div>
      <dl className="figures">
        <Figure label="Unresolved" value={unresolvedCount} noun="issue" isAlert={unresolvedCount > 0} />
        <Figure label="New, 24 h" value={overview.newIssues24h} noun="issue" />
        <Figure label="Events, 24 h" value={overview.events24h} noun="event" />
        <Figure label="Users, 24 h" value={overview.users24h} noun="user" />
      </dl>
      <div className="dsn">
        {dsn === undefined ? (
          <span className="muted">All keys are disabled: nothing can be sent.</span>
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
  return project.firstEventMs === undefined ? <>waiting for its first event</> : <>no event in 24 hours</>
}
