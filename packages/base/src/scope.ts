/** What the work at hand is done for: log lines name it, and spans have it as their parent. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
export type SpanContext = { readonly traceId: string; readonly spanId: string }

export type Scope = {
  /** As the answer has it in `x-request-id`. Undefined: no request asked for this work. */
  readonly requestId?: string | undefined
  /** Method and path without what differs by value, or the name of a job. */
  readonly origin?: string | undefined
  /** The open span; undefined: this is not traced. */
  readonly span?: SpanContext | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()

/** Whatever `run` begins has this scope, also what goes on after it returned. */
export const inScope = <T>(scope: Scope, run: () => T): T => scopes.run(scope, run)
