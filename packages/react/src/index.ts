import { Component, type ReactNode } from 'react'
import { captureReactError, tellShown } from './root-handlers.ts'

export { reactErrorHandlers, type ReactErrorHandlers, type RootErrorInfo } from './root-handlers.ts'

export type FallbackProps = {
  readonly error: unknown
  /** Components from the one that threw outwards; undefined in the first moment. */
  readonly componentStack: string | undefined
  /** Of the report, for people who ask for help; undefined when nothing was sent. */
  readonly eventId: string | undefined
  /** Renders the children anew. */
  readonly reset: () => void
}

export type Fallback = ReactNode | ((props: FallbackProps) => ReactNode)

export type ErrorBoundaryProps = {
  readonly children?: ReactNode
  /** A node, or a function of the error. Default: nothing. */
  readonly fallback?: Fallback
  /** After the report. */
  readonly onError?: (error: unknown, details: Pick<FallbackProps, 'componentStack' | 'eventId'>) => void
  /** After `reset`, or when one of `resetKeys` has changed. */
  readonly onReset?: () => void
  /** The children are rendered anew when one of these changes: the route, the id of what is shown. */
  readonly resetKeys?: readonly unknown[]
}

type State = {
  readonly failed: boolean
  readonly error?: unknown
  readonly componentStack?: string | undefined
  readonly eventId?: string | undefined
}

const INTACT: State = { failed: false, error: undefined, componentStack: undefined, eventId: undefined }

/**
 * Shows something else when what is below it throws while it renders, and reports the error. A class, since React knows
 * error boundaries as classes only.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = INTACT

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, error }
  }

  override componentDidCatch(error: unknown, info: { readonly componentStack?: string | null }): void {
    const componentStack = info.componentStack ?? undefined
    const eventId = captureReactError(error, componentStack, { type: 'react.error_boundary', handled: true })
    tellShown(error)
    this.setState({ componentStack, eventId })
    this.props.onError?.(error, { componentStack, eventId })
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { failed }: State): void {
    // Not in the update that brought the error: the keys may have changed together with it.
    if (!this.state.failed || !failed) return
    const [now, then] = [this.props.resetKeys ?? [], before.resetKeys ?? []]
    if (now.length !== then.length || now.some((key, index) => !Object.is(key, then[index]))) this.reset()
  }

  readonly reset = (): void => {
    this.props.onReset?.()
    this.setState(INTACT)
  }

  override render(): ReactNode {
    const { children, fallback = null } = this.props
    const { failed, error, componentStack, eventId } = this.state
    if (!failed) return children
    if (typeof fallback !== 'function') return fallback
    // Called, not made an element of: written inline it is another function each time, and would be mounted anew.
    return fallback({ error, componentStack, eventId, reset: this.reset })
  }
}
