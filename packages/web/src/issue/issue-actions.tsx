import { Form } from '@sonde/router'
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
  title: 'It is fixed; if it happens again it opens by itself',
}
const IGNORE: Action = {
  status: 'ignored',
  icon: 'mute',
  label: 'Ignore',
  title: 'It is known and stays out of the list',
}
const REOPEN: Action = {
  status: 'unresolved',
  icon: 'reopen',
  label: 'Reopen',
  title: 'Put it back into the list',
}

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  unresolved: [RESOLVE, IGNORE],
  resolved: [REOPEN, IGNORE],
  ignored: [RESOLVE, REOPEN],
}

/** The button that was pressed says the new status: works without JavaScript. */
export function IssueActions({ status }: { readonly status: string }) {
  return (
    <Form className="issue-actions" aria-label="Change the issue">
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
