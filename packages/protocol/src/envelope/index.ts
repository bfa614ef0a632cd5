export {
  createEnvelope,
  type Envelope,
  EnvelopeError,
  type EnvelopeErrorCode,
  type EnvelopeHeader,
  type EnvelopeItem,
  type ItemHeader,
  type NewItem,
  serializeEnvelope,
} from './envelope.ts'
export { type EnvelopeHeaderFields, readHeaderFields } from './header-fields.ts'
export { MAX_HEADER_BYTES } from './header-line.ts'
export { type EnvelopeLimits, parseEnvelope, readEnvelopeHeader } from './parse-envelope.ts'
