/**
 * Every reason that Sonde gives, by its outcome, with what it means: `docs/reference/outcomes.md` is made from this.
 * Whoever counts an item takes the reason from here, so that one without a meaning does not compile (guarantee G3).
 * A reason belongs to one outcome. `accepted` needs none; `client_discard` has the SDK's own text.
 */
export const OUTCOME_REASONS = {
  filtered: {
    allowed_domains: 'The page is on none of the domains that the project allows.',
    browser_extension: 'The error comes from a browser extension.',
    crawler: 'The sender is a web crawler.',
    discarded_hash: 'Its issue was deleted, and somebody asked for no more events like it.',
    error_message: 'The message is on the project’s list of unwanted ones.',
    localhost: 'The page was served from localhost.',
    release: 'The release is on the project’s list of unwanted ones.',
    sampled: 'A sampling rule of the project left it out; the reason goes on with the rule.',
    ip: 'The address is on the project’s list of unwanted ones.',
    event_dropped: 'It belongs to an event that was filtered.',
    noise: 'The project drops what is of this class of noise; the reason goes on with the class.',
    thinned:
      'Its issue had come many times that day: the event was counted with it, and only a sample of such events is stored.',
    spike:
      'The project was far above its usual rate: the event was counted with its issue, and only a part of such events is stored.',
  },
  rate_limited: {
    key_quota: 'The key is over its rate limit.',
    project_quota: 'The project is over its rate limit.',
    span_cap: 'The project has stored as many spans as its cap allows for the day or the month.',
    span_burst: 'The project is over the spans that its cap allows in a minute.',
    spike_events:
      'The project has no rate limit of its own, and sent more of the kind than any such project may in a minute or an hour.',
    spike_spans:
      'Likewise for spans and other kinds that come in numbers: metrics, log lines, sessions, client reports.',
    spike_bytes: 'Likewise for the bytes of a kind.',
    new_issues:
      'It would be one more issue than the project may make in a minute or an hour, or a file of such an event.',
    series_limit:
      'The metric would be one more series than the project may have in a day; series that were there before go on.',
    attachment_quota:
      'The organization’s attachments take as much of the disk as they may; the event was kept.',
    disk_low: 'Too little of the disk is free: first attachments are refused, then everything, with a 503.',
    overload: 'Too much was being received, or the disk could not take it; the sender got a 503.',
  },
  invalid: {
    bad_auth: 'The authentication, or the DSN in its place, is malformed.',
    bad_encoding: 'The body is not what its Content-Encoding says.',
    bad_envelope: 'The body is no envelope (a header is not JSON, a length is wrong), or no multipart form.',
    bad_json: 'The payload is empty or not JSON.',
    bad_mime_type: 'The content type is none that the address takes.',
    bad_otlp: 'The body is no OTLP request: it is cut, or not what its content type says.',
    bad_payload: 'The payload is JSON, but not what its item type means.',
    bad_project_id: 'The project id in the path is not a number.',
    bad_span: 'The span has no ids, or no time at which it started.',
    body_too_slow: 'The body trickled in and was given up.',
    dsn_mismatch: 'The DSN of the envelope contradicts the request that carried it.',
    duplicate_attachment: 'The event has an attachment with this name and content already.',
    duplicate_event: 'An event with this id is stored already.',
    duplicate_item: 'The envelope holds the item twice, and may hold it once.',
    duplicate_span: 'The item holds the span twice; the first one is kept.',
    event_invalid: 'It belongs to an event that could not be taken.',
    key_disabled: 'The key is disabled.',
    missing_auth: 'The request names no key.',
    missing_event_id: 'The item belongs to an event, and none is named.',
    project_gone: 'The project was removed before the item could be stored.',
    replay_limit: 'The replay has as many segments, bytes or minutes as one may have.',
    too_large: 'The body or the item is over its size limit.',
    too_many_items: 'The envelope, or one item of it, holds more than is allowed.',
    unknown_key: 'No project has the key.',
    unknown_region: 'The tunnel was asked for a region that is not served.',
    wrong_project: 'The key belongs to another project than the path names.',
  },
  failed: {
    digest_error:
      'It could not be read, digested or stored for a defect of ours; `sonde dead list` has the details.',
    digest_timeout: 'Digesting it did not end in time; kept as a dead letter.',
    internal: 'The front failed for a defect of ours; its log has the details.',
    relay_busy: 'Too many envelopes wait for another region.',
    relay_failed: 'The other region could not be reached or did not answer properly.',
  },
  unsupported: {
    not_yet_shown: 'Sonde knows the kind and does not show it yet.',
    discontinued: 'Nobody shows the kind any more.',
    internal_kind: 'The kind is made inside other servers; SDKs do not send it.',
    unknown_kind: 'Nobody knows the kind; the reason goes on with its name and the SDK’s.',
  },
} as const satisfies { readonly [outcome: string]: { readonly [reason: string]: string } }

type Reasons = typeof OUTCOME_REASONS
export type ReasonedOutcome = keyof Reasons
export type OutcomeReason<O extends ReasonedOutcome> = O extends ReasonedOutcome ? keyof Reasons[O] : never
