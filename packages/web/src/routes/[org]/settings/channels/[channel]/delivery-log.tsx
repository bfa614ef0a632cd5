import { Form, Link, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

type Delivery = {
  readonly id: number
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed' | 'digested'
  readonly attempts: number
  readonly createdMs: number
  readonly nextAttemptMs: number
  readonly doneMs?: number | undefined
  readonly answer: string
  readonly key: string
  readonly headline: string
  readonly title: string
}

export type DeliveryLogProps = {
  readonly channelId: number
  readonly deliveries: readonly Delivery[]
  readonly olderThan: number | undefined
  readonly isFirst: boolean
}

const STATES = {
  waiting: { text: 'waiting', tone: 'attention' },
  sending: { text: 'sending', tone: 'attention' },
  sent: { text: 'delivered', tone: 'good' },
  failed: { text: 'failed', tone: 'bad' },
  digested: { text: 'in a digest', tone: 'neutral' },
} as const

/** What pressing the button does; undefined: it is on its way, or went with another. */
const AGAIN: Readonly<Partial<Record<Delivery['state'], string>>> = {
  waiting: 'Send now',
  sent: 'Send again',
  failed: 'Retry',
}

/** The last messages to a channel, with what the other side said. */
export function DeliveryLog({ channelId, deliveries, olderThan, isFirst }: DeliveryLogProps) {
  const { org } = useParams<'org'>()
  if (deliveries.length === 0)
    return (
      <p className="muted">
        {isFirst ? 'Nothing was sent to this channel yet.' : 'There are no older ones.'}
      </p>
    )
  return (
    <>
      <ul className="account-list" aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <DeliveryLine key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {olderThan !== undefined && (
        <p>
          <Link to={`${paths.channel(org, channelId, olderThan)}#log`}>Older</Link>
        </p>
      )}
    </>
  )
}

function DeliveryLine({ delivery }: { readonly delivery: Delivery }) {
  const { id, state, attempts, createdMs, nextAttemptMs, doneMs, answer, key, headline, title } = delivery
  const again = AGAIN[state]
  const { text, tone } = STATES[state]
  return (
    <li>
      <div className="account-item">
        <p>
          <Badge tone={tone}>{text}</Badge> <UserText text={headline} /> · <UserText text={title} />
        </p>
        <p className="muted">
          <Ago atMs={createdMs} /> · {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
          {doneMs !== undefined && (
            <>
              {' '}
              · done <ExactTime atMs={doneMs} />
            </>
          )}
          {state === 'waiting' && (
            <>
              {' '}
              · next attempt <ExactTime atMs={nextAttemptMs} />
            </>
          )}
        </p>
        {answer !== '' && (
          <p className="tried-answer">
            <UserText text={answer} />
          </p>
        )}
        <p className="muted">
          key <code>{key}</code>
        </p>
      </div>
      {again !== undefined && (
        <Form>
          <input type="hidden" name="form" value="retry" />
          <input type="hidden" name="notificationId" value={id} />
          <button type="submit" className="button button-small" aria-label={`${again}: ${title}`}>
            {again}
          </button>
        </Form>
      )}
    </li>
  )
}
