import { Form, usePending } from '@sonde/router'
import { useRef } from 'react'
import { useShortcuts } from '../../../../../shell/use-shortcuts.ts'
import { Icon, type IconName } from '../../../../../ui/icon.tsx'
import type { ShownStatus } from '../../../../../parts/issue/shown-status.ts'

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

/** The button that was pressed says the new status: works without JavaScript. */
export function IssueActions({ status }: { readonly status: string }) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = usePending()
  const press = (names: readonly ShownStatus[]) => (): void => {
    const buttons = [...(form.current?.querySelectorAll('button') ?? [])]
    buttons.find(({ value }) => (names as readonly string[]).includes(value))?.click()
  }
  useShortcuts({
    'issue.resolve': press(status === 'unresolved' ? ['resolved'] : ['unresolved']),
    ...(status === 'ignored' ? {} : { 'issue.ignore': press(['ignored']) }),
  })
  return (
    <Form ref={form} className="issue-actions" aria-label="Issue actions" aria-busy={isPending}>
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
