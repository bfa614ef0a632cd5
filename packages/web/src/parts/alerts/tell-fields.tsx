import type { ChannelName } from '@sonde/queries'
import { Tick } from '../../ui/field.tsx'
import { UserText } from '../../ui/user-text.tsx'

export type Tellable = {
  readonly channels: readonly ChannelName[]
  readonly members: readonly { readonly userId: string; readonly name: string }[]
  readonly teams: readonly { readonly id: number; readonly name: string }[]
}

export type TellDraft = {
  readonly members: boolean
  readonly channelIds: readonly string[]
  readonly userIds: readonly string[]
  readonly teamIds: readonly string[]
}

/** Whom a monitor tells. */
export function TellFields({
  draft,
  error,
  channels,
  members,
  teams,
}: Tellable & { readonly draft: TellDraft; readonly error: string | undefined }) {
  return (
    <fieldset aria-describedby={error && 'actions-error'}>
      <legend>Tell</legend>
      <Tick name="members" isOn={draft.members}>
        All members of the organization
      </Tick>
      {teams.map(({ id, name }) => (
        <Tick key={id} name="teamId" value={String(id)} isOn={draft.teamIds.includes(String(id))}>
          The team <UserText text={name} />
        </Tick>
      ))}
      {channels.map(({ id, kind, name }) => (
        <Tick key={id} name="channelId" value={String(id)} isOn={draft.channelIds.includes(String(id))}>
          <UserText text={name} /> <span className="muted">{kind}</span>
        </Tick>
      ))}
      <details className="key-fold" open={draft.userIds.length > 0 || undefined}>
        <summary>Certain people</summary>
        {members.map(({ userId, name }) => (
          <Tick key={userId} name="userId" value={userId} isOn={draft.userIds.includes(userId)}>
            <UserText text={name} />
          </Tick>
        ))}
      </details>
      {error !== undefined && (
        <p className="field-error" id="actions-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
