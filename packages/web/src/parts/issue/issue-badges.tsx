import { CHUNK_ERROR_MESSAGE } from '@sonde/protocol/chunk-error'
import { Badge } from '../../ui/badge.tsx'
import { useTimeText } from '../../ui/page-clock.tsx'

/** Errors of tabs that could not load code: grouping makes one issue of them, and a list says so. */
export const isChunkIssue = ({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, string>>
}): boolean => CHUNK_ERROR_MESSAGE.test(metadata['value'] ?? '')

/** After a day nobody calls it new, whatever the store still says. */
const NEW_FOR_MS = 86_400_000

type BadgedIssue = {
  readonly status: string
  readonly substatus: string
  readonly isUnhandled: boolean
  readonly firstSeenMs: number
  readonly metadata: Readonly<Record<string, string>>
}

/** What is special about an issue; nothing for one that is merely open. */
export function IssueBadges({ issue }: { readonly issue: BadgedIssue }) {
  const { status, substatus, isUnhandled, firstSeenMs } = issue
  const isRecent = useTimeText((nowMs) => (nowMs - firstSeenMs < NEW_FOR_MS ? 'yes' : '')) !== ''
  return (
    <>
      {status === 'resolved' && <Badge tone="good">resolved</Badge>}
      {status === 'ignored' && <Badge>ignored</Badge>}
      {status === 'unresolved' && substatus === 'regressed' && (
        <Badge tone="bad" title="Resolved earlier, then seen again">
          regressed
        </Badge>
      )}
      {status === 'unresolved' && substatus === 'escalating' && (
        <Badge tone="bad" title="Was ignored, then came much more often">
          escalating
        </Badge>
      )}
      {status === 'unresolved' && substatus === 'new' && isRecent && (
        <Badge tone="attention" title="First seen within 24 hours">
          new
        </Badge>
      )}
      {isChunkIssue(issue) && (
        <Badge title="Code chunks failed to load, usually in tabs left open across a deploy. See Navigations">
          {' '}
          chunk load error{' '}
        </Badge>
      )}
      {isUnhandled && (
        <Badge tone="quiet" title="Not caught by any error handler">
          unhandled
        </Badge>
      )}
    </>
  )
}

/** An issue's title in two parts: its kind, which is read first, and what was said. */
type Titled = {
  readonly title: string
  readonly metadata: Readonly<Record<string, string>>
}

/** `TypeError` and `x is not a function`; a message is all name. */
export function titleParts({ title, metadata }: Titled): {
  readonly name: string
  readonly rest: string
} {
  const type = metadata.type
  if (type === undefined || type === '' || !title.startsWith(`${type}: `)) return { name: title, rest: '' }
  return { name: type, rest: title.slice(type.length + 2) }
}
