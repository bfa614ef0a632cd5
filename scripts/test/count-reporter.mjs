/** A reporter for `node --test` that writes how many tests of each file passed, failed and were skipped, as one JSON line. */
export default async function* countReporter(events) {
  const files = {}
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.details?.type === 'suite') continue
    const counts = (files[data.file ?? data.name] ??= { passed: 0, failed: 0, skipped: 0 })
    if (data.skip !== undefined || data.todo !== undefined) counts.skipped++
    else if (type === 'test:pass') counts.passed++
    else counts.failed++
  }
  yield `${JSON.stringify(files)}\n`
}
