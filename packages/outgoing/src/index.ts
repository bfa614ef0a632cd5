export { type AddressGuard, createAddressGuard, readRange } from './address-guard.ts'
export {
  ANSWER_MAX_BYTES,
  createOutgoing,
  OUTGOING_FAILURES,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingFailure,
  type OutgoingOptions,
  type OutgoingRequest,
  readUrl,
} from './outgoing.ts'
