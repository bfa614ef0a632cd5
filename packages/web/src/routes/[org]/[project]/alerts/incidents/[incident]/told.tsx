import type { IncidentNotification } from '@sonde/queries'
import { Form } from '@sonde/router'
import { Badge } from '../../../../../../ui/badge.tsx'
import { Ago } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'

type Props = { readonly told: readonly IncidentNotification[]; readonly mayWrite: boolean }

const STATES = {
  waiting: ['attention', 'waiting'],
  sending: ['attention', 'sending'],
  sent: ['good', 'sent'],
  failed: ['bad', 'failed'],
  digested: ['neutral', 'in a digest'],
} as const

/** Each notification with what became of it; what failed can be sent again. */
export function Told({ told, mayWrite }: Props) {
  if (told.length === 0) return <p className="muted">Nobody was told.</p>
  return (
    <ul className="incident-told">
      {told.map((each) => (
        <li key={each.id}>
          <span>
            <UserText text={placeOf(each)} />
            {each.isEnd && <span className="muted"> (that it is resolved)</span>}
          </span>
          <Badge tone={STATES[each.state][0]}>{STATES[each.state][1]}</Badge>
          <span className="muted">
            <Ago atMs={each.doneMs ?? each.createdMs} />
            {each.attempts > 1 && `, ${each.attempts} attempts`}
          </span>
          {each.answer !== '' && <UserText className="muted" text={each.answer} />}
          {mayWrite && each.state === 'failed' && (
            <Form>
              <input type="hidden" name="notificationId" value={each.id} />
              <button type="submit" className="button button-small" name="does" value="retry">
                Send again
              </button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}

function placeOf({ medium, channel, person }: IncidentNotification): string {
  if (medium === 'channel')
    return channel ? `${channel.name} (${channel.kind})` : 'A channel that was deleted'
  return `${person ?? 'A former member'}, ${medium === 'email' ? 'by e-mail' : 'in the inbox'}`
}
