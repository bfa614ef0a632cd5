import type { ReactNode } from 'react'
import { LoadedPart } from '../../shell/loaded-part.tsx'
import { FormMenu } from './form-menu.tsx'

const load = async () => (await import('./assignee-list.tsx')).AssigneeList

type Props = {
  readonly org: string
  readonly button: ReactNode
  readonly label: string
  /** Whether somebody has it. */
  readonly mayUnassign: boolean
  /** Whether the menu stands in a form already. */
  readonly isInForm: boolean
}

/** Whose an issue is to be. Without JavaScript an address or the name of a team is typed. */
export function AssignMenu({ org, button, label, mayUnassign, isInForm }: Props) {
  return (
    <FormMenu isInForm={isInForm} className="assign-menu" button={button} label={label}>
      {(isOpen) => (
        <>
          {isOpen ? <LoadedPart load={load} part={{ org }} /> : <TypedAssignee />}
          {mayUnassign && (
            <div className="menu-list menu-foot">
              <button type="submit" name="assignee" value="none" data-closes>
                Unassign
              </button>
            </div>
          )}
        </>
      )}
    </FormMenu>
  )
}

function TypedAssignee() {
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
    </>
  )
}
