import { useLocation } from '@sonde/router'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'

export type MenuProps = {
  readonly className?: string
  /** What the button shows. */
  readonly button: ReactNode
  /** What it is called, when what it shows does not say. */
  readonly label?: string
  /**
   * Rendered while it is open; on the server always, for readers without JavaScript. The menu closes when a form in it
   * is sent; one that refuses what it was given stops the event.
   */
  readonly children: (isOpen: boolean) => ReactNode
}

const STOPS = 'a[href], button, input, summary'

/**
 * A button and what folds out below it: links, boxes to tick, a form. A `details` of the platform, so that it opens
 * without JavaScript; scripts add arrow keys, Escape, and that it closes when somebody leaves it.
 */
export function Menu({ className = '', button, label, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const close = useCallback((): void => {
    if (details.current) details.current.open = false
  }, [])
  const done = (): void => {
    close()
    details.current?.querySelector('summary')?.focus()
  }
  const shownPathname = useRef(pathname)
  useEffect(() => {
    if (shownPathname.current !== pathname) close()
    shownPathname.current = pathname
  }, [close, pathname])
  useEffect(() => {
    const own = details.current
    // Opened before the scripts ran: nobody heard of it.
    const notice = (): void => setOpen(own?.open ?? false)
    notice()
    own?.addEventListener('toggle', notice)
    return () => own?.removeEventListener('toggle', notice)
  }, [])
  useEffect(() => {
    if (!isOpen) return undefined
    const leave = (event: PointerEvent): void => {
      if (!details.current?.contains(event.target as Node)) close()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [close, isOpen])

  const press = (event: KeyboardEvent): void => {
    const own = details.current
    if (!own?.open) return
    if (event.key === 'Escape') {
      event.preventDefault()
      done()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !hasOwnArrows(event.target)) {
      event.preventDefault()
      moveFocus(own, event.key === 'ArrowDown' ? 1 : -1)
    }
  }
  return (
    <details
      ref={details}
      name="top-menu"
      className={`menu ${className}`}
      onKeyDown={press}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close()
      }}
      onSubmit={done}
      onClick={(event) => {
        if ((event.target as Element).closest('a, [data-closes]')) close()
      }}
    >
      <summary aria-label={label} title={label}>
        {button}
      </summary>
      <div className="menu-panel">{children(isOpen)}</div>
    </details>
  )
}

/** The parts of a date are counted up and down with the arrows. */
const hasOwnArrows = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement && target.type === 'datetime-local'

function moveFocus(within: HTMLElement, by: number): void {
  const stops = [...within.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.offsetParent !== null)
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[(at + by + stops.length) % stops.length]?.focus()
}
