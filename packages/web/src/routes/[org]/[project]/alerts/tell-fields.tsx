import type { ChannelName, TrackerName } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { Tick } from '../../../../ui/field.tsx'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { FieldsError, type FieldsProps } from './rule-fields.tsx'
import { DAY_NAMES } from './rule-words.ts'

export type Tellable = {
  readonly channels: readonly ChannelName[]
  readonly trackers: readonly TrackerName[]
  readonly members: readonly { readonly userId: string; readonly name: string; readonly email: string }[]
  readonly teams: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}

/** Whom a rule tells, and at which hours. */
export function TellFields({
  draft,
  errorOf,
  mayWrite,
  channels,
  trackers,
  members,
  teams,
}: FieldsProps & Tellable) {
  const { org } = useParams<'org'>()
  return (
    <>
      <fieldset disabled={!mayWrite} aria-describedby={errorOf('actions') && 'actions-error'}>
        <legend>Tell</legend>
        <Tick name="members" isOn={draft.members}>
          All members of the organization
        </Tick>
        <Tick name="owner" isOn={draft.owner}>
          The owner of the rule
        </Tick>
        {draft.kind === 'issue' && (
          <div className="field">
            <label htmlFor="issue-owners">Owners of the issue</label>
            <select className="input" id="issue-owners" name="issueOwners" defaultValue={draft.issueOwners}>
              <option value="">are not told</option>
              <option value="project">are told; without any, as the ownership settings say</option>
              <option value="members">are told; without any, all members</option>
              <option value="active">are told; without any, members active within 30 days</option>
              <option value="nobody">are told; without any, nobody</option>
            </select>
          </div>
        )}
        {teams.map(({ id, slug, name }) => (
          <Tick key={id} name="teamId" value={String(id)} isOn={draft.teamIds.includes(String(id))}>
            The team <UserText text={name} />{' '}
            <span className="muted">
              <UserText text={`#${slug}`} />
            </span>
          </Tick>
        ))}
        {channels.map(({ id, kind, name }) => (
          <Tick key={id} name="channelId" value={String(id)} isOn={draft.channelIds.includes(String(id))}>
            <UserText text={name} /> <span className="muted">{kind}</span>
          </Tick>
        ))}
        {channels.length === 0 && (
          <p className="field-hint alert-channels">
            Slack, webhooks and other channels are set up in{' '}
            <Link to={paths.channels(org)}>the settings of the organization</Link>.
          </p>
        )}
        <details className="key-fold" open={draft.userIds.length > 0 || undefined}>
          <summary>Certain people</summary>
          <div className="alert-choices">
            {members.map(({ userId, name, email }) => (
              <Tick key={userId} name="userId" value={userId} isOn={draft.userIds.includes(userId)}>
                <span title={email}>
                  <UserText text={name} />
                </span>
              </Tick>
            ))}
          </div>
        </details>
        {draft.kind === 'issue' &&
          trackers.map(({ id, name, places }) => (
            <Tick key={id} name="trackerId" value={String(id)} isOn={draft.trackerIds.includes(String(id))}>
              Make an issue at <UserText text={name} />{' '}
              <span className="muted">
                in <UserText text={places[0] ?? ''} />, unless one is linked
              </span>
            </Tick>
          ))}
        <FieldsError id="actions-error" text={errorOf('actions')} />
      </fieldset>
      <fieldset disabled={!mayWrite}>
        <legend>Looked after by</legend>
        <select className="input" name="ownerId" aria-label="Owner" defaultValue={draft.ownerId}>
          <option value="">Nobody in particular</option>
          {members.map(({ userId, name }) => (
            <option key={userId} value={userId}>
              {name}
            </option>
          ))}
          {draft.ownerId !== '' && !members.some(({ userId }) => userId === draft.ownerId) && (
            <option value={draft.ownerId}>Somebody who left</option>
          )}
        </select>
        <FieldsError id="owner-error" text={errorOf('owner')} />
      </fieldset>
      <fieldset disabled={!mayWrite}>
        <legend>At which hours</legend>
        <ScheduleFields draft={draft} />
        <FieldsError id="schedule-error" text={errorOf('schedule')} />
      </fieldset>
    </>
  )
}

function ScheduleFields({ draft }: Pick<FieldsProps, 'draft'>) {
  const isInBrowser = useIsInBrowser()
  return (
    <details className="key-fold" open={draft.isScheduled || undefined}>
      <summary>{draft.isScheduled ? 'At certain hours' : 'At any hour'}</summary>
      <Tick name="isScheduled" isOn={draft.isScheduled}>
        Only at these hours. What lasts until they begin is told then.
      </Tick>
      <div className="alert-choices">
        {DAY_NAMES.map((name, day) => (
          <Tick key={name} name="day" value={String(day)} isOn={draft.days.includes(String(day))}>
            {name}
          </Tick>
        ))}
      </div>
      <div className="alert-sentence">
        <span>from</span>
        <input className="input" type="time" name="from" aria-label="From" defaultValue={draft.from} />
        <span>to</span>
        <input className="input" type="time" name="to" aria-label="To" defaultValue={draft.to} />
        <input
          className="input"
          name="timeZone"
          list="time-zones"
          aria-label="Time zone"
          defaultValue={draft.timeZone}
          autoComplete="off"
          spellCheck={false}
        />
        {isInBrowser && (
          <datalist id="time-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        )}
      </div>
    </details>
  )
}
