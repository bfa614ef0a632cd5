import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '../ui/icon.tsx'

export type Toast = {
  /** One sentence: what was done, or what could not be. */
  readonly text: string
  /** `bad` stays until it is closed. */
  readonly kind?: 'good' | 'bad'
  /** `Undo`. */
  readonly action?: { readonly name: string; readonly run: () => void }
}

const SHOWN_MS = 6_000
const SHOWN_WITH_ACTION_MS = 12_000
const MAX_SHOWN = 4

type Shown = Toast & { readonly id: number }

const NONE: readonly Shown[] = []
let shown = NONE
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

const show = (toast: Toast): void => change([...shown, { ...toast, id: ++lastId }].slice(-MAX_SHOWN))
const close = (id: number): void => change(shown.filter((toast) => toast.id !== id))

/**
 * `const toast = useToast(); toast({ text: '12 issues were resolved', kind: 'good' })`. From event handlers only. For
 * what happened out of sight or can be undone; what belongs to a field is said beside it.
 */
export const useToast = (): ((toast: Toast) => void) => show

/** Once per page, in the layout. The region is always there: readers announce what comes into it. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
    () => NONE,
  )
  return (
    <div className="toasts" role="log" aria-label="Notifications" aria-live="polite">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast }: { readonly toast: Shown }) {
  const { id, text, kind, action } = toast
  const [isHeld, setHeld] = useState(false)
  const staysMs = kind === 'bad' ? undefined : action ? SHOWN_WITH_ACTION_MS : SHOWN_MS
  useEffect(() => {
    if (isHeld || staysMs === undefined) return undefined
    const timer = setTimeout(() => close(id), staysMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, staysMs])
  return (
    <div
      className={kind === undefined ? 'toast' : `toast toast-${kind}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            close(id)
            action.run()
          }}
        >
          {action.name}
        </button>
      )}
      <button
        type="button"
        className="button button-quiet button-small"
        aria-label="Close message"
        onClick={() => close(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
