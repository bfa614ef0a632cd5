/** Events as SDKs send them → the one form that the rest of the system knows. */
export type { NormalizeContext } from './contexts.ts'
export { deriveTags } from './tags.ts'
export { normalizeEvent } from './event.ts'
export { mainException } from './exceptions.ts'
export { DEFAULT_PARSE_LIMITS, parseEventJson, type ParseLimits, type ParseResult } from './parse-json.ts'
export { isSecurityReport, splitSecurityReport } from './security.ts'
export { userKeyOf } from './user.ts'
