/** The only error surface (E1, E2), and the friendlier page for what does not exist. */
import { Component, type ReactNode, useState } from 'react'
import { digestLine, failureSentence, type PageError, requestLine } from '../shared/page-data.ts'
import { useRuntime, useShown } from './hooks.ts'
import { type FailureProps, NOT_FOUND_ID } from './route-modules.ts'

/** In place of the page that failed: on the server with a problem, in this browser without one. */
export function RouteFailure({ problem }: { readonly problem?: PageError }) {
  const { host, modules, streamedDigest } = useRuntime()
  const { template } = useShown().page
  const [clientDigest] = useState(() => streamedDigest() ?? findUnreadDigest())
  if (!problem) return <FailurePage host={host} side="client" status={500} digest={clientDigest} />
  if (problem.status < 500) return <NotFound status={problem.status} />
  const { status, digest, requestId, message } = problem
  const More = template === null ? undefined : modules.get(template)?.ErrorBoundary
  return (
    <FailurePage
      host={host}
      side="server"
      status={status}
      digest={digest}
      requestId={requestId}
      message={message}
    >
      {More && <More status={status} {...(digest === undefined ? {} : { digest })} />}
    </FailurePage>
  )
}

type FailurePageProps = {
  readonly host: string
  readonly side: 'client' | 'server'
  readonly status: number
  readonly digest?: string | undefined
  readonly requestId?: string | undefined
  readonly message?: string | undefined
  readonly children?: ReactNode
}

function FailurePage({ host, side, digest, requestId, message, children }: FailurePageProps) {
  return (
    <main className="route-failure">
      <h1>{message ?? failureSentence(host)}</h1>
      {digest !== undefined && <p>{digestLine(digest)}</p>}
      {requestId !== undefined && <p>{requestLine(requestId)}</p>}
      <p>
        {side === 'server' ? 'It happened on the server. ' : 'It happened in this browser. '}
        {digest !== undefined && 'The digest finds the cause in the server log. '}
        <a href="">Load the page again</a>
      </p>
      {children}
    </main>
  )
}

function NotFound({ status }: FailureProps) {
  const { modules } = useRuntime()
  const Page = modules.get(NOT_FOUND_ID)?.default
  if (Page) return <Page status={status} />
  return (
    <main className="route-not-found">
      <h1>{status === 404 ? 'This page does not exist' : 'This page cannot be shown'}</h1>
      <p>
        Status {status}. <a href="/">Go to the start page</a>
      </p>
    </main>
  )
}

/**
 * When rendering fails on the server after the shell was sent, React leaves the digest at the Suspense
 * boundary and renders it again in the browser. This finds one that React has not reported yet.
 */
function findUnreadDigest(): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector('template[data-dgst]')?.getAttribute('data-dgst') ?? undefined
}

/** Around the router itself: whatever its own error route cannot catch. */
export class OutermostBoundary extends Component<
  { readonly host: string; readonly children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false }
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }
  override render(): ReactNode {
    if (this.state.failed) return <FailurePage host={this.props.host} side="client" status={500} />
    return this.props.children
  }
}
