import '../../../../../parts/forms/settings.css'
import '../../../../../parts/integrations/integrations.css'
import '../trackers.css'
import { Form, useActionData, usePageData } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { KindSteps, ShownSecret, Tried } from '../../../../../parts/integrations/kind-fields.tsx'
import { Badge } from '../../../../../ui/badge.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { SettingsHead } from '../../settings-head.tsx'
import { KINDS } from '../tracker-kinds.ts'
import { TrackerFields, TrackerHealth, WebhookSetUp } from '../tracker-parts.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `${(data as { tracker: { name: string } }).tracker.name} · Issue trackers · Sonde`
}

export default function Tracker() {
  const { tracker } = usePageData<typeof load>()
  const answer = useActionData<typeof action>()
  const state = useFormState('tracker')
  const { kind, name, links } = tracker
  const words = KINDS[kind]
  return (
    <div className="page page-narrow">
      <SettingsHead name={name} here="trackers">
        <Badge>{words.name}</Badge>
      </SettingsHead>
      <p className="muted">
        <TrackerHealth tracker={tracker} /> · {countOf(links, 'linked issue')} · created{' '}
        <Ago atMs={tracker.createdMs} />
      </p>
      <SavedNotice />
      <ShownSecret what="secret" secret={answer?.webhookSecret}>
        <p>Enter the new secret in the webhook of {words.name}: the old one is no longer taken.</p>
      </ShownSecret>
      <Section
        id="test"
        title="Test"
        note={`Asks ${words.name} who the token is, and whether it sees what is named below.`}
      >
        <Form className="settings-line">
          <input type="hidden" name="form" value="test" />
          <button type="submit" className="button button-primary">
            Test connection
          </button>
        </Form>
        <Tried
          tried={answer?.tried}
          good="The connection works."
          bad={`${words.name} can’t be used as it is set up.`}
        />
      </Section>
      <Section id="settings" title="Settings">
        <details className="key-fold">
          <summary>Where to find the values</summary>
          <KindSteps steps={words.steps} />
        </details>
        <Form className="settings-form" key={tracker.updatedMs}>
          <input type="hidden" name="form" value="tracker" />
          <TrackerFields kind={kind} state={state} stored={tracker} />
          <p className="muted">
            The token is stored encrypted and never shown again. Left empty, it stays as it is.
          </p>
          <button type="submit" className="button">
            Save connection
          </button>
        </Form>
      </Section>
      <Section id="webhook" title="Webhook" note={`So that ${words.name} tells Sonde of its changes.`}>
        <WebhookSetUp kind={kind} webhookUrl={tracker.webhookUrl} />
        {words.ownSecretField === undefined && (
          <details className="key-fold tracker-secret">
            <summary>Make a new secret</summary>
            <Form className="settings-form danger">
              <input type="hidden" name="form" value="webhook-secret" />
              <p>
                Webhooks that are signed with the old one are refused until {words.name} has the new one. The
                secret was shown when the connection was made.
              </p>
              <button type="submit" className="button">
                Make a new secret
              </button>
            </Form>
          </details>
        )}
      </Section>
      <Section id="delete" title="Delete">
        <details className="key-fold">
          <summary>Delete this connection</summary>
          <Form className="settings-form danger">
            <input type="hidden" name="form" value="delete" />
            <p>
              {links === 0
                ? 'No issue is linked through it.'
                : `${countOf(links, 'linked issue')} lose their link.`}{' '}
              What is in {words.name} stays there.
            </p>
            <button type="submit" className="button button-danger">
              Delete connection
            </button>
          </Form>
        </details>
      </Section>
    </div>
  )
}
