/** Secrets out of events, before they are stored. */
export { scrubEvent } from './scrub-event.ts'
export { DEFAULT_SCRUB_SETTINGS, type ScrubSettings } from './settings.ts'
export { scrubTrace } from './scrub-trace.ts'
export { scrubAttributes, scrubEnvelope, scrubLog, scrubSpan } from './scrub-span.ts'
