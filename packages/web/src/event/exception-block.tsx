import type { Exception } from '@sonde/protocol/event'
import { Badge } from '../ui/badge.tsx'
import { LongText } from '../ui/long-text.tsx'
import { UserText } from '../ui/user-text.tsx'
import type { FrameView } from './frame-groups.ts'
import { StackTrace } from './stack-trace.tsx'

type Props = { readonly exception: Exception; readonly isCause: boolean; readonly view: FrameView }

export function ExceptionBlock({ exception, isCause, view }: Props) {
  const { type, value, module, mechanism, stacktrace } = exception
  return (
    <article className="exception">
      {isCause && <p className="exception-cause">caused by</p>}
      <h3 className="exception-type">
        <UserText text={type ?? '<unknown type>'} />
        {module !== undefined && (
          <>
            {' '}
            <span className="exception-module">
              <UserText text={module} />
            </span>
          </>
        )}
      </h3>
      {value !== undefined && value !== '' && (
        <p className="exception-value">
          <LongText text={value} />
        </p>
      )}
      {mechanism && (
        <p className="exception-mechanism">
          {mechanism.handled === false && <Badge tone="bad">unhandled</Badge>}
          {mechanism.handled === true && <Badge>handled</Badge>}
          <span className="muted">
            mechanism <UserText text={mechanism.type} />
          </span>
        </p>
      )}
      {stacktrace && stacktrace.frames.length > 0 ? (
        <StackTrace stacktrace={stacktrace} view={view} />
      ) : (
        <p className="muted">No stack trace was sent.</p>
      )}
    </article>
  )
}
