import { Badge } from '../../ui/badge.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { exceptionName, type ListedException, type Relation } from './exception-tree.ts'
import { LazyFold } from './lazy-fold.tsx'
import { StackTrace } from './stack-trace.tsx'
import type { StackView } from './stack-view.ts'

/** The stacks of the first few are there at once. */
const OPEN_BLOCKS = 3
/** Deeper ones are not moved further in. */
const MAX_DEPTH = 4

const RELATIONS: Readonly<Record<Relation, string | undefined>> = {
  thrown: undefined,
  cause: 'caused by',
  context: 'raised while handling the above',
  member: 'grouped exception',
}

type Props = { readonly listed: ListedException; readonly view: StackView; readonly platform: string }

export function ExceptionBlock({ listed, view, platform }: Props) {
  const { exception, relation, depth, isGroup, number } = listed
  const { type, value, module, mechanism, stacktrace } = exception
  const name = exceptionName(exception)
  const said = RELATIONS[relation]
  const isNamedByValue = (type === undefined || type === '') && name === value
  return (
    <article className={`exception exception-depth-${Math.min(depth, MAX_DEPTH)}`} id={`exception-${number}`}>
      {said !== undefined && <p className="exception-cause">{said}</p>}
      <h3 className="exception-type">
        <UserText text={name} />
        {module !== undefined && module !== name && (
          <>
            {' '}
            <span className="exception-module">
              <UserText text={module} />
            </span>
          </>
        )}
      </h3>
      {value !== undefined && value !== '' && !isNamedByValue && (
        <p className="exception-value">
          <LongText text={value} />
        </p>
      )}
      {(mechanism || isGroup) && (
        <p className="exception-mechanism">
          {mechanism?.handled === false && <Badge tone="bad">unhandled</Badge>}
          {mechanism?.handled === true && <Badge>handled</Badge>}
          {(isGroup || mechanism?.is_exception_group) && <Badge>exception group</Badge>}
          {mechanism && (
            <span className="muted">
              mechanism <UserText text={mechanism.type} />
            </span>
          )}
          {mechanism?.description !== undefined && (
            <span className="muted">
              <UserText text={mechanism.description} />
            </span>
          )}
        </p>
      )}
      {stacktrace && stacktrace.frames.length > 0 ? (
        number < OPEN_BLOCKS ? (
          <StackTrace stacktrace={stacktrace} view={view} platform={platform} />
        ) : (
          <LazyFold className="fold exception-fold" summary="Stack trace">
            {() => <StackTrace stacktrace={stacktrace} view={view} platform={platform} />}
          </LazyFold>
        )
      ) : (
        !isGroup && <p className="muted">No stack trace</p>
      )}
    </article>
  )
}
