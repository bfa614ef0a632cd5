/** A reporter for `node --test` that writes how many tests passed, failed and were skipped, as one JSON line. */
export default async function* countReporter(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite') continue
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped++
    else if (type === 'test:pass') counts.passed++
    else counts.failed++
  }
  yield `${JSON.stringify(counts)}\n`
}
