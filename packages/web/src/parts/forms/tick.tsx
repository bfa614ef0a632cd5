import type { ReactNode } from 'react'

export type TickProps = {
  readonly name: string
  readonly isOn: boolean
  readonly value?: string
  readonly children: ReactNode
}

/** A box to tick with its words. */
export function Tick({ name, isOn, value = 'on', children }: TickProps) {
  return (
    <label className="tick">
      <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
      <span>{children}</span>
    </label>
  )
}
