export {
  ANSWER_MAX_BYTES,
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingFailure,
  type OutgoingOptions,
  type OutgoingRequest,
  readUrl,
} from './outgoing.ts'
