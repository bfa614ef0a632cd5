import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { DeleteForm } from '../../../../parts/forms/delete-form.tsx'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { SetupSteps } from '../../../../parts/setup/setup-steps.tsx'
import { paths } from '../../../../paths.ts'
import { Field, Tick } from '../../../../ui/field.tsx'
import { LinesField } from '../../../../ui/lines-field.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { CapsForm } from './caps-form.tsx'
import { KeyTable } from './key-table.tsx'
import { LimitForm } from './limit-form.tsx'
import type { load } from './page.server.ts'
import { DomainsForm, ProjectForm } from './project-form.tsx'
import { ReceivedData } from './received-data.tsx'
import { SamplingForm } from './sampling-form.tsx'
import { ScrubForm } from './scrub-form.tsx'
import { ScrubStored } from './scrub-stored.tsx'
import { SpikeForm } from './spike-form.tsx'
import { TeamsForm } from './teams-form.tsx'

export function title(data: unknown) {
  return `Settings · ${(data as { project: { name: string } }).project.name} · Sonde`
}

export default function Settings() {
  const {
    project,
    keys,
    filters,
    scrub,
    scrubRun,
    sampling,
    spanUsage,
    retentionDays,
    teams,
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
        <p className="muted">Read-only. Ask an owner or admin of the organization to make changes.</p>
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
            <dt>Project ID</dt>
            <dd className="num">{project.id}</dd>
          </div>
          <div>
            <dt>Created</dt>
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
      <Section id="teams" title="Teams" note="Whose members work on this project.">
        <TeamsForm {...teams} mayWrite={mayWrite} />
      </Section>
      <Section id="keys" title="Client keys" note="DSNs are safe to expose: they can only submit events.">
        <KeyTable keys={keys} mayWrite={mayWrite} />
        {mayWrite && <NewKey />}
      </Section>
      {dsn !== undefined && (
        <Section id="setup" title="Send events">
          <SetupSteps platform={project.platform} dsn={dsn} mayTest={mayTest} />
        </Section>
      )}
      <Section id="received" title="Received data" note="Items of the last 7 days, and what became of them.">
        <ReceivedData {...door.received} />
        <p>
          <Link to={paths.noise(org, project.slug)}>Kept, thinned and dropped, by class of noise</Link>
        </p>
      </Section>
      <Section
        id="coverage"
        title="Coverage"
        note="What the measurements do not show, and what the measuring costs."
      >
        <p>
          <Link to={paths.coverage(org, project.slug)}>Invisible page views and the weight of the SDK</Link>
        </p>
      </Section>
      <Section id="source-maps" title="Source maps" note="Un-minify stack traces.">
        <p>
          <Link to={paths.sourceMaps(org, project.slug)}>Manage source maps</Link>
        </p>
      </Section>
      <Section id="grouping" title="Grouping" note="How events become issues.">
        <p>
          <Link to={paths.groupingSettings(org, project.slug)}>Fingerprint and stack-trace rules</Link>
        </p>
      </Section>
      <Section id="detectors" title="Performance issues" note="What is found in spans.">
        <p>
          <Link to={paths.detectors(org, project.slug)}>Detectors and thresholds</Link>
        </p>
      </Section>
      <Section id="ownership" title="Ownership" note="Who is assigned to new issues.">
        <p>
          <Link to={paths.ownership(org, project.slug)}>Ownership rules and CODEOWNERS</Link>
        </p>
      </Section>
      <Section id="personal-data" title="Personal data" note="What is stored of a user of your applications.">
        <p>
          <Link to={paths.personalData(org, project.slug)}>Find, export or erase a person</Link>
        </p>
      </Section>
      <Section id="discarded" title="Discarded issues" note="Deleted for good: their events are dropped.">
        <p>
          <Link to={paths.discarded(org, project.slug)}>Discarded issues</Link>
        </p>
      </Section>
      <Section id="limit" title="Rate limit" note="Applies to all keys combined.">
        <LimitForm
          limit={door.rateLimit}
          spikes={door.spikes}
          newcomers={door.newcomers}
          refusals={door.rateLimit ? door.refusals.overLimit : door.refusals.overSpikes}
          mayWrite={mayWrite}
        />
      </Section>
      <Section id="spikes" title="Spike protection" note="Samples what is far above the usual rate.">
        <SpikeForm state={door.spikeState} mayWrite={mayWrite} />
      </Section>
      <Section id="domains" title="Allowed domains" note="Origins allowed to send events.">
        <DomainsForm
          domains={door.allowedDomains}
          refusals={door.refusals.foreignPages}
          mayWrite={mayWrite}
        />
      </Section>
      <Section
        id="filters"
        title="Inbound filters"
        note="Matching events are counted and dropped, never stored."
      >
        <FilterForm filters={filters} mayWrite={mayWrite} />
      </Section>
      <Section id="scrubbing" title="Scrubbing" note="Sensitive data is removed before events are stored.">
        <ScrubForm scrub={scrub} mayWrite={mayWrite} />
        <ScrubStored run={scrubRun} mayWrite={mayWrite} />
      </Section>
      <Section id="sampling" title="Sampling" note="Choose which traces are stored.">
        <SamplingForm sampling={sampling} mayWrite={mayWrite} />
      </Section>
      <Section id="caps" title="Span quotas" note="Maximum number of spans to store.">
        <CapsForm
          usage={spanUsage}
          spikeSpans={door.rateLimit ? undefined : door.spikes.spans}
          refusals={door.refusals.overSpanCaps}
          mayWrite={mayWrite}
        />
      </Section>
      <Section id="retention" title="Retention">
        <p>
          Data is kept for <strong>{retentionDays} days</strong>. Set for the whole installation with{' '}
          <code>SONDE_RETENTION_DAYS</code> on the server.
        </p>
        <p>
          <Link to={paths.retention(org, project.slug)}>Data retention and quotas by kind</Link>
        </p>
      </Section>
      {mayDelete && (
        <Section id="danger" title="Delete project">
          <DeleteForm what="project" slug={project.slug}>
            The project is gone from every page at once and its DSNs stop working. For a day it can be
            restored under “Recently deleted” in the settings of the organization; then it is removed for
            good, with all its events.
          </DeleteForm>
        </Section>
      )}
    </div>
  )
}

function NewKey() {
  const { errorOf, valueOf } = useFormState('new-key')
  return (
    <Form className="settings-line">
      <input type="hidden" name="form" value="new-key" />
      <Field
        id="new-key-label"
        name="label"
        label="New key"
        required
        maxLength={100}
        placeholder="Web app, staging"
        autoComplete="off"
        defaultValue={valueOf('label', '')}
        error={errorOf('label')}
      />
      <button type="submit" className="button">
        Create key
      </button>
    </Form>
  )
}

type Filters = {
  readonly browserExtensions: boolean
  readonly localhost: boolean
  readonly crawlers: boolean
  readonly releases: readonly string[]
  readonly messages: readonly string[]
}

type FilterFormProps = { readonly filters: Filters; readonly mayWrite: boolean }

/** What is dropped at arrival. Counted as filtered, never stored. */
function FilterForm({ filters, mayWrite }: FilterFormProps) {
  const { errorOf, isTicked, valueOf } = useFormState('filters')
  return (
    <Form className="settings-form" key={JSON.stringify(filters)}>
      <fieldset className="settings-fields" disabled={!mayWrite}>
        <legend className="sr-only">Inbound filters</legend>
        <input type="hidden" name="form" value="filters" />
        <Tick name="browserExtensions" isOn={isTicked('browserExtensions', filters.browserExtensions)}>
          Browser extension errors
        </Tick>
        <Tick name="localhost" isOn={isTicked('localhost', filters.localhost)}>
          Events from localhost
        </Tick>
        <Tick name="crawlers" isOn={isTicked('crawlers', filters.crawlers)}>
          Known web crawlers
        </Tick>
        <LinesField
          id="filter-releases"
          name="releases"
          label="Releases"
          hint="One pattern per line. * matches any text, ? one character. Example: shop@1.*"
          defaultValue={valueOf('releases', filters.releases.join('\n'))}
          error={errorOf('releases')}
        />
        <LinesField
          id="filter-messages"
          name="messages"
          label="Messages"
          hint="One pattern per line. Example: ResizeObserver loop* or *: Load failed"
          defaultValue={valueOf('messages', filters.messages.join('\n'))}
          error={errorOf('messages')}
        />
        {mayWrite && (
          <button type="submit" className="button button-primary">
            Save filters
          </button>
        )}
      </fieldset>
    </Form>
  )
}
