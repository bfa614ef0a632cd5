import { Form, usePending, usePost } from '@sonde/router'
import { useEffect, useRef } from 'react'
import { useToast } from '../shell/toasts.tsx'
import { useShortcuts } from '../shell/use-shortcuts.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { ShownStatus } from './shown-status.ts'

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
  title: 'It is fixed; if it happens again it opens by itself (e)',
}
const IGNORE: Action = {
  status: 'ignored',
  icon: 'mute',
  label: 'Ignore',
  title: 'It is known and stays out of the list (m)',
}
const REOPEN: Action = {
  status: 'unresolved',
  icon: 'reopen',
  label: 'Reopen',
  title: 'Put it back into the list (e)',
}

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  unresolved: [RESOLVE, IGNORE],
  resolved: [REOPEN, IGNORE],
  ignored: [RESOLVE, REOPEN],
}

const DONE: Readonly<Record<string, string>> = {
  resolved: 'Resolved. It opens again by itself if it comes back.',
  ignored: 'Ignored. It stays out of the list.',
  unresolved: 'Open again.',
}

type Props = {
  readonly status: string
  readonly shortId: string
  readonly resolvedIn: string
  readonly resolvedRelease: string
}

/** The button that was pressed says the new status: works without JavaScript. */
export function IssueActions(issue: Props) {
  const { status } = issue
  const form = useRef<HTMLFormElement>(null)
  const isPending = usePending()
  useSaidWhenDone(issue)
  const press = (names: readonly ShownStatus[]) => (): void => {
    const buttons = [...(form.current?.querySelectorAll('button') ?? [])]
    buttons.find(({ value }) => (names as readonly string[]).includes(value))?.click()
  }
  useShortcuts({
    'issue.resolve': press(status === 'unresolved' ? ['resolved'] : ['unresolved']),
    ...(status === 'ignored' ? {} : { 'issue.ignore': press(['ignored']) }),
  })
  return (
    <Form ref={form} className="issue-actions" aria-label="Change the issue" aria-busy={isPending}>
      {(ACTIONS[status] ?? []).map((action, index) => (
        <button
          key={action.status}
          type="submit"
          name="status"
          value={action.status}
          title={action.title}
          className={index === 0 && status === 'unresolved' ? 'button button-primary' : 'button'}
        >
          <Icon name={action.icon} /> {action.label}
        </button>
      ))}
    </Form>
  )
}

/** A status that changed while the page was open is said, with the way back. */
function useSaidWhenDone({ status, shortId, resolvedIn, resolvedRelease }: Props): void {
  const toast = useToast()
  const post = usePost()
  const known = useRef({ status, shortId, resolvedIn, resolvedRelease })
  useEffect(() => {
    const before = known.current
    known.current = { status, shortId, resolvedIn, resolvedRelease }
    if (before.shortId !== shortId || before.status === status) return
    const undo = (): void => {
      void post(window.location.pathname + window.location.search, {
        status: before.status,
        resolution: before.resolvedIn,
        version: before.resolvedRelease,
      })
    }
    toast({
      text: `${shortId}: ${DONE[status] ?? status}`,
      kind: 'good',
      action: { name: 'Undo', run: undo },
    })
    // Only a change of the status is news.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [status, shortId])
}
