/**
 * A reporter for `node --test` that writes what came of each file, as one JSON line: how many of its tests passed,
 * failed and were skipped, and how long they took.
 */
export default async function* countReporter(events) {
  const files = {}
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const counts = (files[data.file ?? data.name] ??= { passed: 0, failed: 0, skipped: 0, ms: 0 })
    if (data.nesting === 0) counts.ms += data.details?.duration_ms ?? 0
    if (
      data.details?.type === 'suite' &&
      (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed')
    )
      continue
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped++
    else if (type === 'test:pass') counts.passed++
    else counts.failed++
  }
  yield `${JSON.stringify(files)}\n`
}
