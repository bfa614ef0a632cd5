import './projects.css'
import type { ProjectTrend } from '@sonde/queries'
import { Form, Link, useActionData, usePageData, useParams, useTyped } from '@sonde/router'
import { UndoNotice } from '../../parts/deleted/undo-notice.tsx'
import { PLATFORMS } from '../../parts/setup/platforms.ts'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Count } from '../../ui/count.tsx'
import { Field } from '../../ui/field.tsx'
import { EmptyState } from '../../ui/section.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Ago } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `${(data as { orgName: string }).orgName} · Sonde`
}

export default function Projects() {
  const { orgName, projects, isLimited, mayCreate } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          <UserText text={orgName} />
        </h1>
      </div>
      <UndoNotice listPath={paths.recentlyDeleted(org)} text="Project deleted." />
      {projects.length === 0 && (
        <EmptyState title={isLimited ? 'None of your teams has a project' : 'No projects yet'}>
          {mayCreate ? (
            <p>A project is one application that sends events to Sonde. Create one to get a DSN.</p>
          ) : (
            <p>
              {isLimited
                ? `You see the projects of your teams. Ask an owner or admin of ${orgName} to add you to a team.`
                : `Ask an owner or admin of ${orgName} to create one.`}
            </p>
          )}
        </EmptyState>
      )}
      {projects.length > 0 && (
        <ul className="project-list" aria-label="Projects">
          {projects.map((project) => (
            <li key={project.id}>
              <ProjectCard org={org} project={project} />
            </li>
          ))}
        </ul>
      )}
      {mayCreate && <NewProject org={org} isOpen={projects.length === 0} />}
    </div>
  )
}

/** Folded away once there is a project: people make few. */
function NewProject({ org, isOpen }: { readonly org: string; readonly isOpen: boolean }) {
  const refused = useActionData<typeof action>()
  const typed = useTyped()
  const errorOf = (field: string): string | undefined => refused?.fields[field]?.join('; ')
  return (
    <details className="new-project" open={isOpen || refused !== undefined}>
      <summary>New project</summary>
      <Form className="new-project-form">
        <Field
          id="slug"
          name="slug"
          label="Name"
          required
          maxLength={50}
          pattern="[a-z0-9][a-z0-9_\-]*"
          placeholder="shop"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Lowercase letters, digits, - and _. Used in URLs."
          error={errorOf('slug')}
          defaultValue={typed('slug') ?? ''}
        />
        <div className="field">
          <label htmlFor="platform">Platform</label>
          <select
            id="platform"
            name="platform"
            className="input"
            defaultValue={typed('platform') ?? 'javascript'}
          >
            {PLATFORMS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="button button-primary">
          Create project
        </button>
      </Form>
      <p className="muted">
        Or from the command line:{' '}
        <code>npm run sonde -- project create {org}/shop --platform javascript</code>
      </p>
    </details>
  )
}

type CardProject = {
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

function ProjectCard({ org, project }: { readonly org: string; readonly project: CardProject }) {
  const { slug, name, platform, unresolvedCount, dsn, overview, trend } = project
  return (
    <article className="project-card">
      <div className="project-name">
        <h2>
          <Link to={paths.project(org, slug)}>
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
