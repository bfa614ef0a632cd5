import { Badge } from '../../../../ui/badge.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

export type ChannelHealthProps = {
  readonly channel: {
    readonly failingSinceMs?: number | undefined
    /** Undefined: nothing was sent. */
    readonly lastState?: string | undefined
  }
}

/** Whether the last message arrived. */
export function ChannelHealth({ channel: { failingSinceMs, lastState } }: ChannelHealthProps) {
  if (failingSinceMs !== undefined)
    return (
      <>
        <Badge tone="bad">failing</Badge>{' '}
        <span className="muted">
          since <Ago atMs={failingSinceMs} />
        </span>
      </>
    )
  return lastState === 'sent' ? <Badge tone="good">works</Badge> : <Badge>not tried</Badge>
}

export type RulesUsingProps = {
  readonly rules: readonly {
    readonly id: number
    readonly name: string
    readonly project: string
    readonly isEnabled: boolean
  }[]
}

/** Which rules tell it. */
export function RulesUsing({ rules }: RulesUsingProps) {
  if (rules.length === 0) return <>used by no rule</>
  return (
    <>
      used by{' '}
      {rules.map(({ id, name, project, isEnabled }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <UserText text={name} /> ({project}
          {isEnabled ? '' : ', off'})
        </span>
      ))}
    </>
  )
}
