/** How long a request waits until what it brought is on disk. */
import { inSpan, noTracer, type Tracer } from '@sonde/base'
import type { LogWriter } from '@sonde/log'

export function traceLog(log: LogWriter, tracer: Tracer): LogWriter {
  if (tracer === noTracer) return log
  return {
    ...log,
    append: (...record) => inSpan(tracer.child({ name: 'append to the log' }), () => log.append(...record)),
  }
}
