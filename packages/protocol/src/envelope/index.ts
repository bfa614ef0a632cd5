export {
  createEnvelope,
  type Envelope,
  type EnvelopeHeader,
  type EnvelopeItem,
  type ItemHeader,
  type NewItem,
} from './envelope.ts'
export { EnvelopeError, type EnvelopeErrorCode } from './envelope-error.ts'
export { type EnvelopeHeaderFields, readHeaderFields } from './header-fields.ts'
export { MAX_HEADER_BYTES, MAX_HEADER_DEPTH } from './header-line.ts'
export {
  DEFAULT_MAX_ITEMS,
  type EnvelopeLimits,
  parseEnvelope,
  readEnvelopeHeader,
} from './parse-envelope.ts'
export { serializeEnvelope } from './serialize-envelope.ts'
