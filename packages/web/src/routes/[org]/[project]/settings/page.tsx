import '../../../../parts/forms/settings.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { KeyTable } from './key-table.tsx'
import { CapsForm } from './caps-form.tsx'
import { DeleteProject } from './delete-project.tsx'
import { DomainsForm } from './domains-form.tsx'
import { FilterForm } from './filter-form.tsx'
import { LimitForm } from './limit-form.tsx'
import { NewKey } from './new-key.tsx'
import { ProjectForm } from './project-form.tsx'
import { SamplingForm } from './sampling-form.tsx'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { ScrubForm } from './scrub-form.tsx'
import { SetupSteps } from '../../../../parts/setup/setup-steps.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Settings · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Settings() {
  const {
    project,
    keys,
    filters,
    scrub,
    sampling,
    spanUsage,
    retentionDays,
    mayWrite,
    mayDelete,
    mayTest,
    ...door
  } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const dsn = keys.find((key) => key.isActive)?.dsn
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <UserText text={project.name} /> <span className="muted">settings</span>
        </h1>
      </div>
      <SavedNotice />
      {!mayWrite && (
        <p className="muted">You may look at these settings. Admins of the organisation may change them.</p>
      )}
      <Section id="project" title="Project">
        <dl className="facts">
          {!mayWrite && (
            <div>
              <dt>Platform</dt>
              <dd>{project.platform}</dd>
            </div>
          )}
          <div>
            <dt>Number</dt>
            <dd className="num">{project.id}</dd>
          </div>
          <div>
            <dt>Made</dt>
            <dd>
              <ExactTime atMs={project.createdMs} />
            </dd>
          </div>
          <div>
            <dt>First event</dt>
            <dd>
              {project.firstEventMs === undefined ? 'none yet' : <ExactTime atMs={project.firstEventMs} />}
            </dd>
          </div>
        </dl>
        {mayWrite && <ProjectForm name={project.name} slug={project.slug} platform={project.platform} />}
      </Section>
      <Section id="keys" title="Client keys" note="A DSN may be public: it only lets events in.">
        <KeyTable keys={keys} mayWrite={mayWrite} />
        {mayWrite && <NewKey />}
      </Section>
      {dsn !== undefined && (
        <Section id="setup" title="Send events">
          <SetupSteps platform={project.platform} dsn={dsn} mayTest={mayTest} />
        </Section>
      )}
      <Section id="source-maps" title="Source maps" note="What makes stacks of minified code readable.">
        <p>
          <Link to={paths.sourceMaps(org, project.slug)}>
            Uploads, what is not readable, and how to upload
          </Link>
        </p>
      </Section>
      <Section id="limit" title="Rate limit" note="Of all keys together.">
        <LimitForm
          limit={door.rateLimit}
          spikes={door.spikes}
          newcomers={door.newcomers}
          refusals={door.rateLimit ? door.refusals.overLimit : door.refusals.overSpikes}
          mayWrite={mayWrite}
        />
      </Section>
      <Section id="domains" title="Allowed domains" note="Whose pages may send.">
        <DomainsForm
          domains={door.allowedDomains}
          refusals={door.refusals.foreignPages}
          mayWrite={mayWrite}
        />
      </Section>
      <Section id="filters" title="Inbound filters" note="What matches is counted and dropped, never stored.">
        <FilterForm filters={filters} mayWrite={mayWrite} />
      </Section>
      <Section id="scrubbing" title="Scrubbing" note="Removed before anything is stored.">
        <ScrubForm scrub={scrub} mayWrite={mayWrite} />
      </Section>
      <Section id="sampling" title="Sampling" note="Which traces are stored.">
        <SamplingForm sampling={sampling} mayWrite={mayWrite} />
      </Section>
      <Section id="caps" title="Caps of spans" note="How many are stored at most.">
        <CapsForm
          usage={spanUsage}
          spikeSpans={door.rateLimit ? undefined : door.spikes.spans}
          refusals={door.refusals.overSpanCaps}
          mayWrite={mayWrite}
        />
      </Section>
      <Section id="retention" title="Retention">
        <p>
          Events are kept for <strong>{retentionDays} days</strong>. It is set for the whole installation,
          with <code>SONDE_RETENTION_DAYS</code> on the server.
        </p>
      </Section>
      {mayDelete && (
        <Section id="danger" title="Delete the project">
          <DeleteProject slug={project.slug} />
        </Section>
      )}
    </div>
  )
}
