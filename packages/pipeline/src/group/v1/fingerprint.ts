/**
 * The SDK's own fingerprint: constants and `{{ variables }}`.
 * https://docs.sentry.io/concepts/data-management/event-grouping/fingerprint-rules/#variables
 */
import type { Exception, Frame, NormalizedEvent } from '@sonde/protocol/event'

export type FingerprintEvent = Pick<
  NormalizedEvent,
  'level' | 'logger' | 'transaction' | 'tags' | 'logentry' | 'exception' | 'release' | 'environment'
>

const VARIABLE = /\{\{\s{0,20}([^{}\s]{1,220})\s{0,20}\}\}/g

export function isDefault(value: string): boolean {
  return /^\s*\{\{\s*default\s*\}\}\s*$/.test(value)
}

/** Values as a person reads them; an unknown variable stays as it was written. */
export function resolveFingerprint(values: readonly string[], event: FingerprintEvent): string[] {
  return values.map((value) =>
    value.replace(VARIABLE, (literal, name: string) => resolveVariable(name, event) ?? literal),
  )
}

function resolveVariable(name: string, event: FingerprintEvent): string | undefined {
  if (name.startsWith('tags.')) {
    const key = name.slice('tags.'.length)
    return event.tags?.find(([tag]) => tag === key)?.[1] ?? `<no-value-for-tag-${key}>`
  }
  const exception = event.exception?.at(-1)
  switch (name) {
    case 'transaction':
      return event.transaction ?? '<no-transaction>'
    case 'message':
      return event.logentry?.formatted ?? event.logentry?.message ?? exception?.value ?? '<no-message>'
    case 'type':
    case 'error.type':
      return exception?.type ?? '<no-type>'
    case 'value':
    case 'error.value':
      return exception?.value ?? '<no-value>'
    case 'level':
      return event.level
    case 'logger':
      return event.logger ?? '<no-logger>'
    case 'release':
      return event.release ?? '<no-release>'
    case 'environment':
      return event.environment ?? '<no-environment>'
    default:
      return resolveFrame(name, crashFrame(exception))
  }
}

function resolveFrame(name: string, frame: Frame | undefined): string | undefined {
  switch (name) {
    case 'function':
    case 'stack.function':
      return frame?.function ?? '<no-function>'
    case 'path':
    case 'stack.abs_path':
      return frame?.abs_path ?? frame?.filename ?? '<no-abs-path>'
    case 'stack.filename':
      return frame?.filename ?? '<no-filename>'
    case 'module':
    case 'stack.module':
      return frame?.module ?? '<no-module>'
    case 'package':
    case 'stack.package':
      return frame?.package ?? '<no-package>'
    default:
      return undefined
  }
}

function crashFrame(exception: Exception | undefined): Frame | undefined {
  const frames = exception?.stacktrace?.frames ?? []
  return frames.findLast((frame) => frame.in_app) ?? frames.at(-1)
}
