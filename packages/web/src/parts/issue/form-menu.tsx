import { Form } from '@sonde/router'
import type { ReactNode } from 'react'
import { Menu } from '../../shell/menu.tsx'

type Props = {
  readonly className: string
  readonly button: ReactNode
  readonly label: string
  /** Whether the menu stands in a form already, whose fields its own are then. */
  readonly isInForm: boolean
  readonly children: ReactNode | ((isOpen: boolean) => ReactNode)
}

/** A menu whose buttons post. */
export function FormMenu({ className, button, label, isInForm, children }: Props) {
  return (
    <Menu className={`triage-menu ${className}`} button={button} label={label}>
      {(isOpen) => {
        const panel = typeof children === 'function' ? children(isOpen) : children
        return isInForm ? panel : <Form className="triage-form">{panel}</Form>
      }}
    </Menu>
  )
}
