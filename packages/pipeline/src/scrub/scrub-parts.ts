/** The interfaces of an event that hold JSON of the user's own shape beside fields of ours. */
import type {
  Breadcrumb,
  Exception,
  Frame,
  JsonObject,
  ProcessingError,
  Stacktrace,
  Thread,
  UserInfo,
} from '@sonde/protocol/event'
import { remark, type Scope, within } from '../normalize/meta-remarks.ts'
import { isSecret, scrubJson, scrubString } from './scrub-json.ts'
import { FILTERED, type KeyRules } from './settings.ts'

type Contexts = Readonly<Record<string, JsonObject>>

/** Who the user is stays: that is what those fields are for. */
export function scrubUser(scope: Scope, user: UserInfo, rules: KeyRules): UserInfo {
  if (!user.data) return user
  return { ...user, data: scrubJson(within(scope, 'data'), user.data, rules) as JsonObject }
}

export function scrubContexts(scope: Scope, contexts: Contexts, rules: KeyRules): Contexts {
  const out: Record<string, JsonObject> = {}
  for (const key of Object.keys(contexts)) {
    const context = contexts[key]!
    if (rules(key) === 'no' || isFiltered(key, context))
      out[key] = scrubJson(within(scope, key), context, rules) as JsonObject
    else {
      remark(scope, key, 'scrubbed', '@password')
      // A context has to stay an object; its name says what was there.
      out[key] = { type: key, value: FILTERED }
    }
  }
  return out
}

export function scrubBreadcrumbs(
  scope: Scope,
  list: readonly Breadcrumb[],
  rules: KeyRules,
): readonly Breadcrumb[] {
  return list.map((breadcrumb, index) => {
    const { message, data } = breadcrumb
    if (message === undefined && data === undefined) return breadcrumb
    const inner = within(scope, index)
    const newMessage =
      message === undefined ? undefined : scrubString(within(inner, 'message'), message, rules)
    const newData = data && (scrubJson(within(inner, 'data'), data, rules) as JsonObject)
    if (newMessage === message && newData === data) return breadcrumb
    return {
      ...breadcrumb,
      ...(newMessage !== undefined && { message: newMessage }),
      ...(newData && { data: newData }),
    }
  })
}

/** A refused value is reported in `errors`; it may have been refused under a name that promises a secret. */
export function scrubErrors(
  scope: Scope,
  errors: readonly ProcessingError[],
  rules: KeyRules,
): readonly ProcessingError[] {
  return errors.map((error, index) => {
    if (error.value === undefined) return error
    if (error.name !== undefined && isSecret(error.value, rules(error.name))) {
      remark(within(scope, index), 'value', 'scrubbed', '@password')
      return { ...error, value: FILTERED }
    }
    const value = scrubJson(within(within(scope, index), 'value'), error.value, rules)
    return value === error.value ? error : { ...error, value }
  })
}

function isFiltered(key: string, context: JsonObject): boolean {
  return context.value === FILTERED && context.type === key && Object.keys(context).length === 2
}

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
