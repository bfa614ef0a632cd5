import type { NormalizedEvent } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../../format/format-count.ts'
import { useToast } from '../../shell/toasts.tsx'
import { useShortcuts } from '../../shell/use-shortcuts.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/section.tsx'
import { LongText, UserText } from '../../ui/user-text.tsx'
import { loadCopyTexts } from './copy/load-copy-texts.ts'
import { DoctorNotes } from './doctor/doctor-notes.tsx'
import { exceptionName, type ListedException, listExceptions, type Relation } from './exception-tree.ts'
import { hasFolds } from './frame-groups.ts'
import { LazyFold, ShowMore, useWholePage } from './lazy-fold.tsx'
import { StackTrace } from './stack-trace.tsx'
import {
  asShown,
  ORDER_NAMES,
  RawSwitch,
  type StackView,
  useIsRaw,
  useStackView,
  ViewToggle,
} from './stack-view.tsx'

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

type ExceptionBlockProps = {
  readonly listed: ListedException
  readonly view: StackView
  readonly platform: string
}

function ExceptionBlock({ listed, view, platform }: ExceptionBlockProps) {
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

const MAX_SHOWN = 10

/** What was thrown first, then what caused it, down to the innermost; the members of a group below it. */
export function ExceptionsSection({ event }: { readonly event: NormalizedEvent }) {
  const { exception: sent = [], platform } = event
  const isRaw = useIsRaw()
  const exceptions = asShown(isRaw, sent)
  const view = useStackView()
  const toast = useToast()
  const [isWhole, setWhole] = useState(useWholePage().isWhole)
  const listed = listExceptions(exceptions)
  const shown = isWhole ? listed : listed.slice(0, MAX_SHOWN)
  const canFold = hasFolds(exceptions.map(({ stacktrace }) => stacktrace?.frames ?? []))
  const isGroup = listed.some(({ depth }) => depth > 0)
  const copied = async (what: 'stackText' | 'stackMarkdown'): Promise<string> =>
    (await loadCopyTexts())[what]({ ...event, exception: exceptions })
  useShortcuts({
    'issue.frames': () => view.setFrames(view.frames === 'all' ? 'in-app' : 'all'),
    'issue.copy': () => {
      copied('stackText')
        .then((text) => navigator.clipboard.writeText(text))
        .then(
          () => toast({ text: 'Stack trace copied', kind: 'good' }),
          () => toast({ text: 'Copying failed: clipboard access denied', kind: 'bad' }),
        )
    },
  })
  const count = listed.length > 1 ? `${listed.length} ${isGroup ? 'exceptions' : 'chained exceptions'}, ` : ''
  return (
    <Section
      id="exception"
      title="Stack trace"
      note={count + ORDER_NAMES[view.order]}
      actions={
        <div className="stack-actions">
          <RawSwitch of={sent} section="exception" />
          <ViewToggle view={view} canFold={canFold} />
          <CopyButton text={() => copied('stackText')} what="the stack trace as text" label="Text" />
          <CopyButton
            text={() => copied('stackMarkdown')}
            what="the stack trace as Markdown"
            label="Markdown"
          />
        </div>
      }
    >
      <DoctorNotes />
      {isGroup && <Outline listed={listed} />}
      {shown.map((entry) => (
        <ExceptionBlock key={entry.number} listed={entry} view={view} platform={platform} />
      ))}
      {shown.length < listed.length && (
        <ShowMore
          text={`Show ${countOf(listed.length - shown.length, 'more cause')}`}
          section="exception"
          onShow={() => setWhole(true)}
        />
      )}
    </Section>
  )
}

/** The tree of an exception group at a glance; each name leads to its stack. */
function Outline({ listed }: { readonly listed: readonly ListedException[] }) {
  return (
    <ul className="exception-outline" aria-label="Exceptions of the group">
      {listed.slice(0, MAX_SHOWN).map(({ exception, number, depth, relation }) => (
        <li key={number} className={`exception-depth-${Math.min(depth, 4)}`}>
          <a href={`#exception-${number}`}>
            <bdi>{exceptionName(exception)}</bdi>
          </a>{' '}
          {relation === 'cause' && <span className="muted">cause</span>}
          {relation === 'context' && <span className="muted">context</span>}{' '}
          {exception.type !== undefined && exception.value !== undefined && (
            <span className="exception-outline-value muted">
              <bdi>{exception.value.slice(0, 120)}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
