import type { ReactNode } from 'react'
import { LoadedPart } from '../../shell/loaded-part.tsx'
import { useIsInBrowser } from '../../ui/page-clock.tsx'
import { FormMenu } from './form-menu.tsx'
import { UnassignButton } from './unassign-button.tsx'

const load = async () => (await import('./assignee-list.tsx')).AssigneeList

type Props = {
  readonly org: string
  /** Undefined: issues of several. */
  readonly project?: string
  readonly button: ReactNode
  readonly label: string
  /** Whether somebody has it. */
  readonly mayUnassign: boolean
  /** Whether the menu stands in a form already. */
  readonly isInForm: boolean
}

/** Whose an issue is to be. Without JavaScript an address or the name of a team is typed. */
export function AssignMenu({ org, project, button, label, mayUnassign, isInForm }: Props) {
  const isInBrowser = useIsInBrowser()
  return (
    <FormMenu isInForm={isInForm} className="assign-menu" button={button} label={label}>
      {(isOpen) => {
        if (isOpen) return <LoadedPart load={load} part={{ org, project, mayUnassign }} />
        // The menu folds out before React hears of it: a button that is shown for so long would take the focus along.
        return isInBrowser ? null : <TypedAssignee mayUnassign={mayUnassign} />
      }}
    </FormMenu>
  )
}

function TypedAssignee({ mayUnassign }: Pick<Props, 'mayUnassign'>) {
  return (
    <>
      <div className="menu-list">
        <button type="submit" name="assignee" value="me">
          Assign to me
        </button>
      </div>
      <label className="menu-note">
        or to{' '}
        <input className="input" name="assignTo" maxLength={300} placeholder="ada@example.com or #team" />
      </label>
      <button type="submit" name="assignee" value="typed" className="button button-small">
        Assign
      </button>
      {mayUnassign && <UnassignButton />}
    </>
  )
}
