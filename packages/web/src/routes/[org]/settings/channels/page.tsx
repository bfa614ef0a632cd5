import '../../../../parts/forms/settings.css'
import '../../../../parts/tokens/account.css'
import '../../../../parts/integrations/integrations.css'
import { Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import type { ChannelKind } from '@sonde/stores'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { useFormState } from '../../../../parts/forms/use-form-state.ts'
import { KindSteps, ShownSecret } from '../../../../parts/integrations/kind-fields.tsx'
import { paths } from '../../../../paths.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { SettingsHead } from '../settings-head.tsx'
import { ChannelFields, HowToVerify } from './channel-fields.tsx'
import { KIND_IDS, KINDS } from './channel-kinds.ts'
import { ChannelHealth, RulesUsing } from './channel-state.tsx'
import type { action, load } from './page.server.ts'

export function title(data: unknown) {
  return `Channels · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function Channels() {
  const { orgName, channels, mayChange, kind } = usePageData<typeof load>()
  const made = useActionData<typeof action>()?.made
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="channels">
        <span className="muted">channels</span>
      </SettingsHead>
      <SavedNotice />
      <ShownSecret what="signing secret" secret={made?.signingSecret}>
        {made && (
          <p>
            Channel created:{' '}
            <Link to={paths.channel(org, made.id)}>
              <UserText text={made.name} />
            </Link>
          </p>
        )}
      </ShownSecret>
      {made && <HowToVerify />}
      <Section
        id="channels"
        title="Channels"
        note={channels.length > 0 && <Count value={channels.length} noun="channel" />}
      >
        <ChannelList mayChange={mayChange} channels={channels} />
      </Section>
      {mayChange ? (
        <Section id="new" title="Add a channel" note="Choose where notifications go.">
          <ul className="kind-choice">
            {KIND_IDS.map((id) => (
              <li key={id}>
                <Link to={`${paths.channels(org, id)}#new`} aria-current={id === kind ? 'true' : undefined}>
                  {KINDS[id].name}
                </Link>
              </li>
            ))}
          </ul>
          {kind !== undefined && !made && <NewChannel key={kind} kind={kind} />}
        </Section>
      ) : (
        <p className="muted">Admins and owners can add and change channels.</p>
      )}
    </div>
  )
}

type Listed = Awaited<ReturnType<typeof load>>['channels']

function ChannelList({ mayChange, channels }: { readonly mayChange: boolean; readonly channels: Listed }) {
  const { org } = useParams<'org'>()
  if (channels.length === 0)
    return (
      <p className="muted">
        No channels yet. Alert rules can tell members by email and in their inbox; a channel tells a team.
      </p>
    )
  return (
    <ul className="account-list" aria-label="Channels">
      {channels.map((channel) => (
        <li key={channel.id}>
          <div className="account-item">
            <p>
              {mayChange ? (
                <Link to={paths.channel(org, channel.id)}>
                  <UserText text={channel.name} />
                </Link>
              ) : (
                <UserText text={channel.name} />
              )}{' '}
              <Badge>{KINDS[channel.kind].name}</Badge> <ChannelHealth channel={channel} />
            </p>
            <p className="muted">
              {channel.lastMs === undefined ? (
                'nothing sent yet'
              ) : (
                <>
                  last message {channel.lastState === 'sent' ? 'delivered' : channel.lastState}{' '}
                  <Ago atMs={channel.lastMs} />
                </>
              )}{' '}
              · <RulesUsing rules={channel.rules} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

function NewChannel({ kind }: { readonly kind: ChannelKind }) {
  const state = useFormState('new-channel')
  return (
    <>
      <KindSteps steps={KINDS[kind].steps} />
      <Form className="settings-form">
        <input type="hidden" name="form" value="new-channel" />
        <input type="hidden" name="kind" value={kind} />
        <ChannelFields kind={kind} state={state} />
        <button type="submit" className="button button-primary">
          Add {KINDS[kind].name} channel
        </button>
      </Form>
    </>
  )
}
