import type { FixCommit, IssueDetail } from '@sonde/queries'
import { Form, useActionData, useLocation, useParams, usePending, usePost } from '@sonde/router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ArchiveMenu } from '../../../../../parts/issue/archive-menu.tsx'
import { ArchivedUntilText } from '../../../../../parts/issue/archived-until.tsx'
import { AssignMenu } from '../../../../../parts/issue/assign-menu.tsx'
import { FormMenu } from '../../../../../parts/issue/form-menu.tsx'
import { IssueBadges, titleParts } from '../../../../../parts/issue/issue-badges.tsx'
import { MarksBar } from '../../../../../parts/issue/marks-bar.tsx'
import { PriorityMenu } from '../../../../../parts/issue/priority-menu.tsx'
import type { ShownStatus } from '../../../../../parts/issue/shown-status.ts'
import { ReleaseLink } from '../../../../../parts/release-link.tsx'
import { useToast } from '../../../../../shell/toasts.tsx'
import { useKeptFocus } from '../../../../../shell/use-kept-focus.ts'
import { useShortcuts } from '../../../../../shell/use-shortcuts.ts'
import { AssigneeMark } from '../../../../../ui/avatar.tsx'
import { Level, levelClass } from '../../../../../ui/badge.tsx'
import { Icon, type IconName } from '../../../../../ui/icon.tsx'
import { useIsInBrowser } from '../../../../../ui/page-clock.tsx'
import { LongText, UserText } from '../../../../../ui/user-text.tsx'
import type { IssueAction } from './change-issue.server.ts'
import { CommitName } from './issue-activity.tsx'
import { useSeen } from './seen-by.tsx'

type Action = {
  readonly status: ShownStatus
  readonly icon: IconName
  readonly label: string
  readonly title: string
}

const RESOLVE: Action = {
  status: 'resolved',
  icon: 'check',
  label: 'Resolve',
  title: 'Mark as fixed. Reopens if it happens again (e)',
}
const IGNORE: Action = {
  status: 'ignored',
  icon: 'mute',
  label: 'Ignore',
  title: 'Hide from the issue list until you reopen it (m)',
}
const REOPEN: Action = {
  status: 'unresolved',
  icon: 'reopen',
  label: 'Reopen',
  title: 'Mark as unresolved (e)',
}

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  unresolved: [RESOLVE, IGNORE],
  resolved: [REOPEN, IGNORE],
  ignored: [RESOLVE, REOPEN],
}

type IssueActionsProps = {
  readonly status: string
  /** Of the project; undefined: it has none to resolve in. */
  readonly latestRelease: string | undefined
}

/** The button that was pressed says the new status: works without JavaScript. Its menu says until when, or in which release. */
function IssueActions({ status, latestRelease }: IssueActionsProps) {
  const place = useRef<HTMLDivElement>(null)
  const noteFocus = useKeptFocus(place, status)
  const isPending = usePending()
  const press = (names: readonly ShownStatus[]) => (): void => {
    const buttons = [...(place.current?.querySelectorAll<HTMLButtonElement>('.split-main button') ?? [])]
    buttons.find(({ value }) => (names as readonly string[]).includes(value))?.click()
  }
  useShortcuts({
    'issue.resolve': press(status === 'unresolved' ? ['resolved'] : ['unresolved']),
    ...(status === 'ignored' ? {} : { 'issue.ignore': press(['ignored']) }),
  })
  return (
    <div
      ref={place}
      className="issue-actions"
      role="group"
      aria-label="Issue actions"
      aria-busy={isPending}
      onSubmit={noteFocus}
    >
      {(ACTIONS[status] ?? []).map((action, index) => (
        <div
          key={action.status}
          className={
            index === 0 && status === 'unresolved' ? 'split-button split-button-primary' : 'split-button'
          }
        >
          <Form className="split-main">
            <button
              type="submit"
              name="status"
              value={action.status}
              title={action.title}
              className={index === 0 && status === 'unresolved' ? 'button button-primary' : 'button'}
            >
              <Icon name={action.icon} /> {action.label}
            </button>
          </Form>
          {action.status === 'resolved' && latestRelease !== undefined && (
            <ResolveMenu release={latestRelease} />
          )}
          {action.status === 'ignored' && <ArchiveMenu isInForm={false} />}
        </div>
      ))}
    </div>
  )
}

type Outcome = NonNullable<ReturnType<typeof useActionData<IssueAction>>>

/** What there is to say beyond what was done. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['resolved', 'Resolved. It will reopen if it happens again.'],
  ['ignored', 'Ignored. Hidden from the issue list.'],
])

function said(outcome: Outcome): string | undefined {
  // A refusal stands beside the field.
  if (outcome.kind === 'refused' || (outcome.kind === 'changed' && outcome.count === 0)) return undefined
  if (outcome.kind === 'changed')
    return SENTENCES.get(outcome.done) ?? `${outcome.done[0]?.toUpperCase()}${outcome.done.slice(1)}.`
  return outcome.count > 0 ? 'Change undone.' : 'Not undone: the issue was changed again.'
}

/** What the last change did, with the way back: a toast, or without JavaScript a notice below the buttons. */
function IssueNotice({ shortId }: { readonly shortId: string }) {
  const outcome = useActionData<IssueAction>()
  const toast = useToast()
  const post = usePost()
  const isInBrowser = useIsInBrowser()
  const { key: visit, pathname, search } = useLocation()
  const text = outcome && said(outcome)
  const undo = outcome?.kind === 'changed' ? outcome.undo : undefined
  const tell = useEffectEvent((_visit: string, _told: Outcome | undefined) => {
    if (text === undefined) return
    toast({
      text: `${shortId}: ${text}`,
      kind: 'good',
      ...(undo !== undefined && {
        action: { name: 'Undo', run: () => void post(pathname + search, { undo }) },
      }),
    })
  })
  useEffect(() => tell(visit, outcome), [visit, outcome])
  if (text === undefined || isInBrowser) return null
  return (
    <div className="bulk-notice">
      <p>{text}</p>
      {undo !== undefined && (
        <Form>
          <input type="hidden" name="undo" value={undo} />
          <button type="submit" className="button button-small">
            Undo
          </button>
        </Form>
      )}
    </div>
  )
}

export function IssueHead({
  issue,
  fix,
  latestRelease,
  mayChange,
  seenMs,
}: {
  readonly issue: IssueDetail
  /** The commit of the release that it is resolved in. */
  readonly fix: FixCommit | undefined
  readonly latestRelease: string | undefined
  readonly mayChange: boolean
  /** When whoever looks did so before. */
  readonly seenMs: number | undefined
}) {
  useSeen(issue.id, seenMs)
  const { name, rest } = titleParts(issue)
  return (
    <header className={`issue-head ${levelClass(issue.level)}`}>
      <div className="issue-head-text">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {rest !== '' && (
          <p className="issue-value">
            <LongText text={rest} max={400} />
          </p>
        )}
        <p className="issue-meta">
          <Level level={issue.level} />
          <span className="issue-id">{issue.shortId}</span>
          <IssueBadges issue={issue} />
          {issue.archivedUntil && <ArchivedUntilText until={issue.archivedUntil} />}
          {issue.status === 'resolved' && issue.resolvedIn !== '' && (
            <span>
              {issue.resolvedIn === 'release' ? 'in ' : 'in the next release after '}
              <ReleaseLink release={issue.resolvedRelease} />
              {issue.resolvedIn === 'release' && fix && (
                <>
                  {' '}
                  by <CommitName commit={fix} />
                </>
              )}
            </span>
          )}
          {issue.culprit !== '' && <UserText className="culprit" text={issue.culprit} />}
        </p>
      </div>
      {!mayChange && (
        <div className="issue-changes">
          <MarksBar issue={issue} mayReview={false} />
          <IssueNotice shortId={issue.shortId} />
        </div>
      )}
      {mayChange && (
        <div className="issue-changes">
          <IssueActions status={issue.status} latestRelease={latestRelease} />
          <IssueAssignee assignee={issue.assignee} />
          <PriorityMenu issue={issue} />
          <MarksBar issue={issue} mayReview />
          <Refusal />
          <IssueNotice shortId={issue.shortId} />
        </div>
      )}
    </header>
  )
}

/** "Mended in": builds before that may go on sending the error without bringing the issue back. */
function ResolveMenu({ release }: { readonly release: string }) {
  return (
    <FormMenu
      isInForm={false}
      className="resolve-menu"
      button={<Icon name="down" />}
      label="Resolve in a release"
    >
      <input type="hidden" name="status" value="resolved" />
      <div className="menu-list">
        <button type="submit" name="resolution" value="next_release" data-closes>
          Resolve in the next release
        </button>
      </div>
      <div className="menu-form menu-foot">
        <label>
          or in <input className="input" name="version" defaultValue={release} maxLength={200} required />
        </label>
        <button type="submit" className="button button-small" name="resolution" value="release">
          Resolve in this release
        </button>
      </div>
    </FormMenu>
  )
}

/** Why a release or a person was not taken. */
function Refusal() {
  const outcome = useActionData<IssueAction>()
  if (outcome?.kind !== 'refused') return null
  return (
    <p className="field-error" role="alert">
      {outcome.refused}
    </p>
  )
}

/** Whose it is, and the menu that gives it to somebody. */
function IssueAssignee({ assignee }: Pick<IssueDetail, 'assignee'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const place = useRef<HTMLDivElement>(null)
  useShortcuts({
    'issue.assign': () => {
      const summary = place.current?.querySelector('summary')
      summary?.focus()
      summary?.click()
    },
  })
  return (
    <div ref={place}>
      <AssignMenu
        org={org}
        project={project}
        isInForm={false}
        mayUnassign={assignee !== undefined}
        label={assignee ? `Assigned to ${assignee.name}. Assign to another (a)` : 'Assign (a)'}
        button={
          assignee ? (
            <AssigneeMark assignee={assignee} />
          ) : (
            <>
              <Icon name="person" /> Assign
            </>
          )
        }
      />
    </div>
  )
}
