import '../../../../../parts/forms/settings.css'
import '../../../../../parts/tokens/account.css'
import '../status-page.css'
import { IMPACT_WORDS, STATE_WORDS, STATES_OF } from '@sonde/alerts/contract'
import { Form, Link, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { SelectField } from '../../../../../ui/select-field.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { SettingsHead } from '../../settings-head.tsx'
import type { load } from './page.server.ts'
import { BodyField, IncidentForm, MaintenanceForm } from './post-forms.tsx'

export function title(data: unknown) {
  return `Incidents of the status page · ${(data as { orgName: string }).orgName} · Sonde`
}

type Loaded = Awaited<ReturnType<typeof load>>
type Incident = Loaded['incidents'][number]

export default function StatusIncidents() {
  const { orgName, isPublished, subscribers, components, incidents } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const open = incidents.filter(({ endedMs }) => endedMs === null)
  const over = incidents.filter(({ endedMs }) => endedMs !== null)
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="status">
        <span className="muted">incidents of the status page</span>
      </SettingsHead>
      <SavedNotice />
      <p>
        <Link to={paths.statusPage(org)}>Settings of the status page</Link>
      </p>
      <p className="muted">
        {isPublished
          ? `Everything you post is public at once, and goes to ${countOf(subscribers, 'subscriber')} by mail.`
          : 'The page is not published: what you post is shown once it is, and goes to nobody by mail.'}{' '}
        Incidents of shown monitors open and end by themselves.
      </p>
      <Section id="open" title="Open">
        {open.length === 0 ? (
          <p className="muted">Nothing is open.</p>
        ) : (
          <ul className="status-incidents" aria-label="Open incidents and maintenance">
            {open.map((incident) => (
              <li key={incident.id}>
                <IncidentItem incident={incident} />
                <UpdateForm key={incident.updates.length} incident={incident} />
                <Remove incident={incident} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section id="new" title="Post an incident">
        <IncidentForm key={incidents.length} components={components} />
      </Section>
      <Section id="plan" title="Schedule maintenance">
        <MaintenanceForm key={incidents.length} components={components} />
      </Section>
      {over.length > 0 && (
        <Section id="over" title="Past">
          <ul className="status-incidents" aria-label="Past incidents and maintenance">
            {over.map((incident) => (
              <li key={incident.id}>
                <IncidentItem incident={incident} />
                <Remove incident={incident} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

function IncidentItem({ incident }: { readonly incident: Incident }) {
  const { title: name, kind, state, impact, components, updates } = incident
  return (
    <>
      <h3>
        <UserText text={name} /> <Badge>{STATE_WORDS[state]}</Badge>{' '}
        <Badge>{kind === 'maintenance' ? 'Maintenance' : IMPACT_WORDS[impact]}</Badge>
      </h3>
      {components.length > 0 && (
        <p className="muted">
          <UserText text={components.map((component) => component.name).join(', ')} />
        </p>
      )}
      <ol className="status-updates" aria-label={`Updates of ${name}`}>
        {updates.map((update) => (
          <li key={update.id}>
            <p className="muted">
              {STATE_WORDS[update.state]} · <Ago atMs={update.atMs} />
            </p>
            <p className="status-text">
              <UserText text={update.body} />
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

function UpdateForm({ incident: { id, kind, state, title: name } }: { readonly incident: Incident }) {
  const { errorOf, valueOf } = useFormState(`update-${id}`)
  return (
    <Form className="settings-form" aria-label={`Update incident ${id}: ${name}`}>
      <input type="hidden" name="form" value="update" />
      <input type="hidden" name="incident" value={id} />
      <SelectField
        id={`state-${id}`}
        name="state"
        label="State"
        value={valueOf('state', state)}
        choices={STATES_OF[kind].map((each) => [each, STATE_WORDS[each]] as const)}
        error={errorOf('state')}
      />
      <BodyField id={`body-${id}`} label="Update" value={valueOf('body', '')} error={errorOf('body')} />
      <button type="submit" className="button button-primary">
        Post update
      </button>
    </Form>
  )
}

function Remove({ incident: { id, title: name } }: { readonly incident: Incident }) {
  return (
    <details className="key-fold">
      <summary aria-label={`Remove from the page: ${name}`}>Remove from the page</summary>
      <Form className="settings-form danger">
        <input type="hidden" name="form" value="remove" />
        <input type="hidden" name="incident" value={id} />
        <p>It is deleted with its updates, as if it had not been posted. Mail that was sent stays sent.</p>
        <button type="submit" className="button button-danger">
          Remove <UserText text={name} />
        </button>
      </Form>
    </details>
  )
}
