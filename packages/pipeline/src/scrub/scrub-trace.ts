/** Secrets out of what an event says of its grouping: texts of the event stand in it. The hashes stay, and the issue with them. */
import type { GroupingTrace } from '@sonde/protocol/event'
import { scrubText } from './scrub-text.ts'
import { type KeyRules, rulesOf, type ScrubSettings } from './settings.ts'

export const scrubTrace = (trace: GroupingTrace, settings: ScrubSettings): GroupingTrace =>
  settings.enabled ? scrubbed(trace, rulesOf(settings).keys) : trace

function scrubbed<Trace extends Pick<GroupingTrace, 'parts' | 'title'>>(
  trace: Trace,
  rules: KeyRules,
): Trace {
  const clean = (text: string): string => scrubText(text, rules)?.text ?? text
  return {
    ...trace,
    parts: trace.parts.map((part) => ({
      ...part,
      value: clean(part.value),
      ...(part.note !== undefined && { note: clean(part.note) }),
    })),
    ...(trace.title !== undefined && { title: clean(trace.title) }),
  }
}
