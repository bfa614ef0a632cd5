import { Badge } from '../ui/badge.tsx'

export type BadgedIssue = {
  readonly status: string
  readonly substatus: string
  readonly isUnhandled: boolean
}

/** What is special about an issue; nothing for one that is merely open. */
export function IssueBadges({ issue }: { readonly issue: BadgedIssue }) {
  const { status, substatus, isUnhandled } = issue
  return (
    <>
      {status === 'resolved' && <Badge tone="good">resolved</Badge>}
      {status === 'ignored' && <Badge>ignored</Badge>}
      {status === 'unresolved' && substatus === 'regressed' && (
        <Badge tone="bad" title="It was resolved and came back">
          regressed
        </Badge>
      )}
      {status === 'unresolved' && substatus === 'new' && (
        <Badge tone="attention" title="First seen recently">
          new
        </Badge>
      )}
      {isUnhandled && (
        <Badge tone="bad" title="Nothing in the application caught it">
          unhandled
        </Badge>
      )}
    </>
  )
}
