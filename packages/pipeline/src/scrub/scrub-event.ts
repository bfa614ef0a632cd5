/**
 * Removes secrets from a normalised event before it is stored, grouped or shown. Scrubbing twice is the same as once.
 * Where something was removed, `_meta` says by which rule. Default rules in the spirit of
 * https://docs.sentry.io/security-legal-pii/scrubbing/server-side-scrubbing/.
 */
import type { FieldRemark, JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import type { Mutable } from '../normalize/read.ts'
import { createRemarks, rootScope, within } from '../normalize/scope.ts'
import { metadataOf, titleOf } from '../normalize/title.ts'
import { type Rules, rulesOf } from './rules.ts'
import { scrubIpAddresses } from './scrub-ip.ts'
import { scrubJson, scrubPairs, scrubString } from './scrub-json.ts'
import { scrubBreadcrumbs, scrubContexts, scrubErrors, scrubUser } from './scrub-parts.ts'
import { scrubLogentry } from './scrub-message.ts'
import { scrubRequest } from './scrub-request.ts'
import { scrubException, scrubThread } from './scrub-stacks.ts'
import { scrubText } from './scrub-text.ts'
import type { ScrubSettings } from './settings.ts'

type Meta = Readonly<Record<string, FieldRemark>>
export function scrubEvent(event: NormalizedEvent, settings: ScrubSettings): NormalizedEvent {
  const withoutIp = settings.scrubIp ? scrubIpAddresses(event) : event
  return settings.enabled ? scrub(withoutIp, rulesOf(settings)) : withoutIp
}

function scrub(event: NormalizedEvent, rules: Rules): NormalizedEvent {
  const remarks = createRemarks()
  const scope = rootScope(remarks)
  const { keys } = rules
  const { _meta: remarksBefore } = event
  const out: Mutable<NormalizedEvent> = { ...event }
  if (event.request) out.request = scrubRequest(within(scope, 'request'), event.request, keys, rules.cookies)
  if (event.tags) out.tags = scrubPairs(within(scope, 'tags'), event.tags, keys)
  if (event.user) out.user = scrubUser(within(scope, 'user'), event.user, keys)
  if (event.logentry) out.logentry = scrubLogentry(within(scope, 'logentry'), event.logentry, keys)
  if (event.transaction !== undefined)
    out.transaction = scrubString(within(scope, 'transaction'), event.transaction, keys)
  if (event.contexts) out.contexts = scrubContexts(within(scope, 'contexts'), event.contexts, keys)
  if (event.exception) {
    const list = within(scope, 'exception')
    out.exception = event.exception.map((entry, index) => scrubException(within(list, index), entry, keys))
  }
  if (event.threads) {
    const list = within(scope, 'threads')
    out.threads = event.threads.map((entry, index) => scrubThread(within(list, index), entry, keys))
  }
  if (event.breadcrumbs)
    out.breadcrumbs = scrubBreadcrumbs(within(scope, 'breadcrumbs'), event.breadcrumbs, keys)
  if (event.extra) out.extra = scrubJson(within(scope, 'extra'), event.extra, keys) as JsonObject
  if (event.unknown) out.unknown = scrubJson(within(scope, 'unknown'), event.unknown, keys) as JsonObject
  if (event.errors) out.errors = scrubErrors(within(scope, 'errors'), event.errors, keys)
  if (!remarks.meta) return out
  return {
    ...out,
    _meta: mergeRemarks(remarksBefore, remarks.meta),
    derived: {
      ...event.derived,
      title: titleOf(out),
      culprit: scrubText(event.derived.culprit, keys)?.text ?? event.derived.culprit,
      metadata: metadataOf(out),
    },
  }
}

function mergeRemarks(before: Meta = {}, added: Meta): Meta {
  const merged: Record<string, FieldRemark> = { ...before }
  for (const [path, entry] of Object.entries(added)) {
    const known = Object.hasOwn(merged, path) ? merged[path] : undefined
    merged[path] = known ? { ...entry, ...known, remarks: [...known.remarks, ...entry.remarks] } : entry
  }
  return merged
}
