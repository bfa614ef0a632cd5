/**
 * An error or message event after normalisation: what the pipeline stores, queries read and screens show.
 * Sentry's field names (https://develop.sentry.dev/sdk/data-model/event-payloads/), one form for each:
 * lists are lists (never `{values}`), pair lists are arrays of pairs, ids are lower hex, times are Unix seconds.
 * Absent means unknown; nothing is ever null. Unknown fields of the SDK are kept under `unknown`.
 */
import type { Noise } from '../noise.ts'
import type { FrameProblem } from './frame-problem.ts'
import type { PerformanceType } from './issue-category.ts'

export type NormalizedEvent = {
  readonly event_id: string
  readonly type: EventType
  readonly platform: string
  readonly level: Level
  /** Unix seconds, after the clock-drift correction. */
  readonly timestamp: number
  /** Unix seconds of arrival. */
  readonly received: number
  readonly logger?: string
  readonly transaction?: string
  readonly server_name?: string
  readonly release?: string
  readonly dist?: string
  readonly environment?: string
  readonly fingerprint?: readonly string[]
  readonly checksum?: string
  readonly tags?: readonly Pair[]
  readonly extra?: JsonObject
  readonly modules?: Readonly<Record<string, string>>
  readonly logentry?: { readonly message?: string; readonly formatted?: string; readonly params?: Json }
  /** Innermost cause first, the thrown one last. */
  readonly exception?: readonly Exception[]
  readonly threads?: readonly Thread[]
  readonly breadcrumbs?: readonly Breadcrumb[]
  readonly request?: RequestInfo
  readonly user?: UserInfo
  readonly contexts?: Readonly<Record<string, JsonObject>>
  readonly sdk?: {
    readonly name?: string
    readonly version?: string
    readonly integrations?: readonly string[]
    readonly packages?: readonly { readonly name?: string; readonly version?: string }[]
    readonly settings?: JsonObject
  }
  readonly debug_meta?: JsonObject
  /** Other interfaces that are stored and shown as JSON: csp, hpkp, expectct, expectstaple, template, … */
  readonly unknown?: JsonObject
  /** What the server could not take over: one entry per field. */
  readonly errors?: readonly ProcessingError[]
  /** Remarks per field path (`user.email` → trimmed, scrubbed, …), original lengths. */
  readonly _meta?: Readonly<Record<string, FieldRemark>>
  /** What the server derived; never sent by an SDK. */
  readonly derived: {
    readonly title: string
    readonly culprit: string
    /** `type`, `value`, `filename`, `function` of the exception that names the issue. */
    readonly metadata: Readonly<Record<string, string>>
    /** How it was grouped: shown on the issue page ("why here?"). */
    readonly grouping?: GroupingTrace
    /** Why it is probably not the application's own. */
    readonly noise?: Noise
  }
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
export type Pair = readonly [string, string]
export type EventType =
  | 'error'
  | 'default'
  | 'csp'
  | 'hpkp'
  | 'expectct'
  | 'expectstaple'
  | 'feedback'
  | 'nel'
  | PerformanceType
export const LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'] as const
export type Level = (typeof LEVELS)[number]

export type Exception = {
  readonly type?: string
  readonly value?: string
  readonly module?: string
  /** As they came, where a mapping of the obfuscated program told the real ones. */
  readonly raw_type?: string
  readonly raw_module?: string
  readonly thread_id?: string
  readonly mechanism?: {
    readonly type: string
    readonly handled?: boolean
    readonly synthetic?: boolean
    readonly source?: string
    readonly exception_id?: number
    readonly parent_id?: number
    readonly is_exception_group?: boolean
    readonly description?: string
    readonly help_link?: string
    readonly data?: JsonObject
    readonly meta?: JsonObject
  }
  readonly stacktrace?: Stacktrace
  readonly raw_stacktrace?: Stacktrace
}

/** Oldest call first, the crash last. */
export type Stacktrace = {
  readonly frames: readonly Frame[]
  readonly frames_omitted?: readonly [number, number]
  readonly registers?: Readonly<Record<string, string>>
}

export type Frame = {
  readonly function?: string
  readonly raw_function?: string
  readonly module?: string
  readonly package?: string
  readonly filename?: string
  readonly abs_path?: string
  readonly lineno?: number
  readonly colno?: number
  readonly pre_context?: readonly string[]
  readonly context_line?: string
  readonly post_context?: readonly string[]
  /** Decided by the server where the SDK said nothing. */
  readonly in_app: boolean
  readonly vars?: JsonObject
  readonly platform?: string
  readonly instruction_addr?: string
  readonly symbol_addr?: string
  readonly image_addr?: string
  readonly data?: JsonObject
  /** Why a frame of a script is not wholly readable; the server says it. */
  readonly problem?: { readonly reason: FrameProblem; readonly detail?: string }
}

export type Thread = {
  readonly id?: string
  readonly name?: string
  readonly crashed?: boolean
  readonly current?: boolean
  readonly main?: boolean
  readonly state?: string
  readonly stacktrace?: Stacktrace
  /** As it came, beside one that was led back to its sources. */
  readonly raw_stacktrace?: Stacktrace
}

export type Breadcrumb = {
  /** Unix seconds. */
  readonly timestamp?: number
  readonly type: string
  readonly category?: string
  readonly level: Level
  readonly message?: string
  readonly data?: JsonObject
}

export type RequestInfo = {
  readonly url?: string
  readonly method?: string
  readonly data?: Json
  readonly query_string?: readonly Pair[]
  readonly fragment?: string
  readonly cookies?: readonly Pair[]
  readonly headers?: readonly Pair[]
  readonly env?: JsonObject
  readonly inferred_content_type?: string
  readonly api_target?: string
}

export type UserInfo = {
  readonly id?: string
  readonly email?: string
  readonly username?: string
  readonly name?: string
  readonly ip_address?: string
  readonly geo?: JsonObject
  readonly data?: JsonObject
}

export type ProcessingError = { readonly type: string; readonly name?: string; readonly value?: Json }
export type FieldRemark = {
  /** `trimmed`, `scrubbed`, `invalid`, `clock_drift`, `past_timestamp`, `future_timestamp`, … and the rule's name. */
  readonly remarks: readonly { readonly rule: string; readonly kind: string }[]
  readonly originalLength?: number
}

export type GroupingTrace = {
  /** `v1`, … ; `fingerprint` and `checksum` when the SDK decided. */
  readonly version: string
  readonly basis:
    | 'fingerprint'
    | 'checksum'
    | 'stacktrace'
    | 'exception'
    | 'message'
    | 'security'
    /** Endpoint, route and cause of a request without an answer. */
    | 'request'
    /** Route and component of a hydration error of React. */
    | 'hydration'
    | 'fallback'
  /** The hashes, the primary one first. An event joins the issue that owns any of them. */
  readonly hashes: readonly string[]
  /** The values that decided, in order, each with where it came from and what was normalised away. */
  readonly parts: readonly { readonly from: string; readonly value: string; readonly note?: string }[]
  /** The project's fingerprint rule that decided, as it was written. */
  readonly rule?: string
  /** The title that it gave. */
  readonly title?: string
  /** Stack-trace rules that changed frames, as they were written, each with how many. */
  readonly stackRules?: readonly { readonly rule: string; readonly frames: number }[]
  /** While a project moves to another version: what the one before says. Its hashes lead to the issue too. */
  readonly before?: { readonly version: string; readonly hashes: readonly string[] }
}
