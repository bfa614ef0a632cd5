export {
  ANSWER_MAX_BYTES,
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  type OutgoingOptions,
  type OutgoingRequest,
} from './outgoing.ts'
export { OutgoingError, type OutgoingFailure, readUrl } from './outgoing-error.ts'
export type { ProbeFailure, ProbeMethod, ProbeRequest, ProbeResult } from './probe.ts'
