import '../../../../parts/forms/settings.css'
import '../../../../parts/integrations/integrations.css'
import '../../../../parts/tokens/account.css'
import './trackers.css'
import { Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import type { TrackerKind } from '@sonde/stores'
import { countOf } from '../../../../format/format-count.ts'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { KindSteps } from '../../../../parts/integrations/kind-fields.tsx'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { action, load } from './page.server.ts'
import { KIND_IDS, KINDS } from './tracker-kinds.ts'
import { TrackerFields, TrackerHealth, WebhookSetUp } from './tracker-parts.tsx'

export function title(data: unknown) {
  return `Issue trackers · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function Trackers() {
  const { orgName, trackers, mayChange, kind } = usePageData<typeof load>()
  const made = useActionData<typeof action>()?.made
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="trackers">
        <span className="muted">issue trackers</span>
      </SettingsHead>
      <SavedNotice />
      <div role="status">
        {made && (
          <div className="saved-notice">
            <p>
              Connected:{' '}
              <Link to={paths.tracker(org, made.id)}>
                <UserText text={made.name} />
              </Link>
              . Test the connection there. So that {KINDS[made.kind].name} tells Sonde of its changes:
            </p>
            <WebhookSetUp {...made} />
          </div>
        )}
      </div>
      <Section
        id="trackers"
        title="Issue trackers"
        note={trackers.length > 0 && <Count value={trackers.length} noun="connection" />}
      >
        <TrackerList mayChange={mayChange} trackers={trackers} />
      </Section>
      {mayChange ? (
        <Section id="new" title="Connect a tracker" note="Choose which.">
          <ul className="kind-choice">
            {KIND_IDS.map((id) => (
              <li key={id}>
                <Link to={`${paths.trackers(org, id)}#new`} aria-current={id === kind ? 'true' : undefined}>
                  {KINDS[id].name}
                </Link>
              </li>
            ))}
          </ul>
          {kind !== undefined && !made && <NewTracker key={kind} kind={kind} />}
        </Section>
      ) : (
        <p className="muted">Admins and owners can connect trackers and change connections.</p>
      )}
    </div>
  )
}

type Listed = Awaited<ReturnType<typeof load>>['trackers']

function TrackerList({ mayChange, trackers }: { readonly mayChange: boolean; readonly trackers: Listed }) {
  const { org } = useParams<'org'>()
  if (trackers.length === 0)
    return (
      <p className="muted">
        No tracker is connected. With one, an issue here can be made or linked there, and who closes one
        resolves the other.
      </p>
    )
  return (
    <ul className="account-list" aria-label="Connections">
      {trackers.map((tracker) => (
        <li key={tracker.id}>
          <div className="account-item">
            <p>
              {mayChange ? (
                <Link to={paths.tracker(org, tracker.id)}>
                  <UserText text={tracker.name} />
                </Link>
              ) : (
                <UserText text={tracker.name} />
              )}{' '}
              <Badge>{KINDS[tracker.kind].name}</Badge>
            </p>
            <p className="muted">
              <TrackerHealth tracker={tracker} /> · {countOf(tracker.links, 'linked issue')} ·{' '}
              <UserText text={tracker.places.join(', ')} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function NewTracker({ kind }: { readonly kind: TrackerKind }) {
  const state = useFormState('new-tracker')
  return (
    <>
      <KindSteps steps={KINDS[kind].steps} />
      <Form className="settings-form">
        <input type="hidden" name="form" value="new-tracker" />
        <input type="hidden" name="kind" value={kind} />
        <TrackerFields kind={kind} state={state} />
        <button type="submit" className="button button-primary">
          Connect {KINDS[kind].name}
        </button>
      </Form>
    </>
  )
}
