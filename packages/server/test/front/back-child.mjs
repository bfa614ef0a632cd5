/** A stand-in for the back's program: does what its first argument's environment says. */
const behaviour = process.env.BEHAVIOUR
process.on('SIGTERM', () => (behaviour === 'stubborn' ? undefined : process.exit(0)))
process.on('disconnect', () => process.exit(0))
if (behaviour === 'broken') {
  process.send({ kind: 'failed', message: 'no disk', mayPass: false }, () => process.exit(1))
} else if (behaviour === 'late' && Date.now() < Number(process.env.FREE_AT_MS)) {
  process.send({ kind: 'failed', message: 'taken', mayPass: true }, () => process.exit(1))
} else {
  if (behaviour === 'asks') {
    process.on('message', (message) =>
      process.send({ kind: 'ready', notices: [message.error ?? 'appended'] }),
    )
    process.send({ kind: 'append', id: 7, bytes: new Uint8Array([1, 2, 3]) })
  } else process.send({ kind: 'ready', notices: [String(process.pid)] })
  setInterval(() => undefined, 1000)
}
