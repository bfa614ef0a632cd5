/**
 * What is used of Sentry's browser SDK, 8 and newer, by its form alone: an import of a package of theirs could be another copy
 * than the page's, with other scopes.
 */

/** https://develop.sentry.dev/sdk/telemetry/traces/ */
export type SentrySpan = {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  setAttribute(name: string, value: string): unknown
  /** Not on spans that are not recorded. From 11 on the operation is an attribute, and name and attributes are called so. */
  getSpanJSON?(): {
    readonly op?: string | undefined
    readonly description?: string | undefined
    readonly name?: string | undefined
    readonly data?: SpanAttributes | undefined
    readonly attributes?: SpanAttributes | undefined
  }
}
type SpanAttributes = {
  readonly 'sentry.op'?: unknown
  readonly 'sentry.source'?: unknown
  /** From 11 on in the place of `sentry.source`. */
  readonly 'sentry.segment.name.source'?: unknown
}

export type SentryClient = {
  getOptions(): {
    readonly dsn?: string | undefined
    readonly release?: string | undefined
    readonly environment?: string | undefined
    readonly dist?: string | undefined
    readonly tunnel?: string | undefined
    readonly sendDefaultPii?: boolean | undefined
  }
  /** From 11 on in the place of `sendDefaultPii`. */
  getDataCollectionOptions?(): { readonly userInfo?: boolean | undefined }
  getDsn(): { readonly host: string } | undefined
  getSdkMetadata(): { readonly sdk?: { readonly name?: string; readonly version?: string } } | undefined
  /** Through the SDK's own transport: address or tunnel, rate limits and retries are its own. */
  sendEnvelope(envelope: never): unknown
  on(hook: 'spanStart', listener: (span: SentrySpan) => void): unknown
  on(hook: 'startNavigationSpan', listener: () => void): unknown
}

type User = Record<string, unknown>

type Scope = {
  getClient(): unknown
  getUser(): User | undefined
  getPropagationContext(): { readonly traceId: string }
}

type Stack = { getScope(): Scope; getIsolationScope(): Scope }

/**
 * Where the SDK keeps its scopes: by version, because a page may have several. A client does not say its own.
 * https://github.com/getsentry/sentry-javascript/blob/develop/packages/core/src/carrier.ts
 */
function stackOf(client: SentryClient): Stack | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- the SDK's name for it
  const carriers = (globalThis as { __SENTRY__?: Record<string, { stack?: Stack } | string> }).__SENTRY__
  return Object.values(carriers ?? {})
    .map((carrier) => (carrier as { stack?: Stack }).stack)
    .find((stack) => stack?.getScope().getClient() === client)
}

/** Undefined when nobody told who it is. */
export function userOf(client: SentryClient): User | undefined {
  const stack = stackOf(client)
  return stack && { ...stack.getIsolationScope().getUser(), ...stack.getScope().getUser() }
}

/** Of whatever the SDK would report now. */
export const traceIdOf = (client: SentryClient): string | undefined =>
  stackOf(client)?.getScope().getPropagationContext().traceId
