import '../../../../../parts/forms/settings.css'
import '../../../../../parts/tokens/account.css'
import '../../../../../parts/integrations/integrations.css'
import { Form, useActionData, usePageData } from '@sonde/router'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../../parts/forms/use-form-state.ts'
import { KindSteps, ShownSecret, Tried } from '../../../../../parts/integrations/kind-fields.tsx'
import { Badge } from '../../../../../ui/badge.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { SettingsHead } from '../../settings-head.tsx'
import { ChannelFields, ChannelHook, HowToVerify } from '../channel-fields.tsx'
import { KINDS, secretFields } from '../channel-kinds.ts'
import { ChannelHealth, RulesUsing } from '../channel-state.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `${(data as { channel: { name: string } }).channel.name} · Channels · Sonde`
}

export default function Channel() {
  const { channel, hookUrl, deliveries, olderThan, isFirst } = usePageData<typeof load>()
  const answer = useActionData<typeof action>()
  const state = useFormState('channel')
  const { kind, name, rules } = channel
  const hasSecret = secretFields(kind).length > 0
  const [last] = deliveries
  return (
    <div className="page page-narrow">
      <SettingsHead name={name} here="channels">
        <Badge>{KINDS[kind].name}</Badge>
      </SettingsHead>
      <p className="muted">
        <ChannelHealth channel={{ ...channel, lastState: last?.state }} /> · <RulesUsing rules={rules} /> ·
        created <Ago atMs={channel.createdMs} />
      </p>
      <SavedNotice />
      <ShownSecret what="signing secret" secret={answer?.signingSecret} />
      <Section id="test" title="Test" note="Sends a message now and shows what the other side answers.">
        <Form className="settings-line">
          <input type="hidden" name="form" value="test" />
          <button type="submit" className="button button-primary">
            Send test message
          </button>
        </Form>
        <Tried
          tried={answer?.tested}
          good="The other side took the message."
          bad="The message was not delivered."
        />
      </Section>
      <Section id="settings" title="Settings">
        <details className="key-fold">
          <summary>Where to find the values</summary>
          <KindSteps steps={KINDS[kind].steps} />
        </details>
        <Form className="settings-form" key={channel.updatedMs}>
          <input type="hidden" name="form" value="channel" />
          <ChannelFields kind={kind} state={state} stored={channel} />
          {hasSecret && (
            <p className="muted">
              Secrets are stored encrypted and never shown again. Empty fields stay as they are.
            </p>
          )}
          <button type="submit" className="button">
            Save channel
          </button>
        </Form>
        {kind === 'webhook' && (
          <div className="key-actions">
            <WebhookSecret />
          </div>
        )}
      </Section>
      {KINDS[kind].hook && (
        <Section id="hook" title={KINDS[kind].hook.name} note="For what people do in the other program.">
          <ChannelHook kind={kind} url={hookUrl} />
        </Section>
      )}
      <Section id="log" title="Deliveries" note="Newest first.">
        <DeliveryLog channelId={channel.id} deliveries={deliveries} olderThan={olderThan} isFirst={isFirst} />
      </Section>
      <Section id="delete" title="Delete">
        <details className="key-fold">
          <summary>Delete this channel</summary>
          <Form className="settings-form danger">
            <input type="hidden" name="form" value="delete" />
            <p>
              {rules.length === 0 ? (
                'No rule uses this channel.'
              ) : (
                <>
                  This channel is <RulesUsing rules={rules} />. Those rules go on without it, and tell nobody
                  if they have no other action.
                </>
              )}{' '}
              What waits to be delivered, and the log, are deleted too.
            </p>
            <button type="submit" className="button button-danger">
              Delete channel
            </button>
          </Form>
        </details>
      </Section>
    </div>
  )
}

function WebhookSecret() {
  return (
    <>
      <HowToVerify />
      <details className="key-fold">
        <summary>Make a new signing secret</summary>
        <Form className="settings-form danger">
          <input type="hidden" name="form" value="signing-secret" />
          <p>Messages are signed with the new secret from now on. The old one can’t be used any more.</p>
          <button type="submit" className="button">
            Make a new signing secret
          </button>
        </Form>
      </details>
    </>
  )
}
