import type { Exception, Frame, JsonObject, Stacktrace, Thread } from '@sonde/protocol/event'
import { within, type Scope } from '../normalize/scope.ts'
import { scrubJson, scrubString } from './scrub-json.ts'
import type { KeyRules } from './sensitive-keys.ts'

export function scrubException(scope: Scope, exception: Exception, rules: KeyRules): Exception {
  const { value, mechanism, stacktrace, raw_stacktrace: before } = exception
  const data =
    mechanism?.data &&
    (scrubJson(within(within(scope, 'mechanism'), 'data'), mechanism.data, rules) as JsonObject)
  return {
    ...exception,
    ...(value !== undefined && { value: scrubString(within(scope, 'value'), value, rules) }),
    ...(mechanism && data && data !== mechanism.data && { mechanism: { ...mechanism, data } }),
    ...(stacktrace && { stacktrace: scrubStacktrace(within(scope, 'stacktrace'), stacktrace, rules) }),
    ...(before && { raw_stacktrace: scrubStacktrace(within(scope, 'raw_stacktrace'), before, rules) }),
  }
}

export function scrubThread(scope: Scope, thread: Thread, rules: KeyRules): Thread {
  if (!thread.stacktrace) return thread
  return { ...thread, stacktrace: scrubStacktrace(within(scope, 'stacktrace'), thread.stacktrace, rules) }
}

/** Variables only: source lines are the user's own code, and paths are what a frame is about. */
function scrubStacktrace(scope: Scope, stacktrace: Stacktrace, rules: KeyRules): Stacktrace {
  let frames: Frame[] | undefined
  const framesScope = within(scope, 'frames')
  for (let index = 0; index < stacktrace.frames.length; index++) {
    const frame = stacktrace.frames[index]!
    if (!frame.vars) continue
    const vars = scrubJson(within(within(framesScope, index), 'vars'), frame.vars, rules) as JsonObject
    if (vars !== frame.vars) (frames ??= [...stacktrace.frames])[index] = { ...frame, vars }
  }
  return frames ? { ...stacktrace, frames } : stacktrace
}
