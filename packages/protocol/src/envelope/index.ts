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
export { MAX_HEADER_BYTES } from './header-line.ts'
export { type EnvelopeLimits, parseEnvelope, readEnvelopeHeader } from './parse-envelope.ts'
export { serializeEnvelope } from './serialize-envelope.ts'
