/** The project keys of the records file as ingest asks for them. */
import { type Logger, UnavailableError } from '@sonde/base'
import type { KeyDirectory } from '@sonde/ingest'
import { openKeyDirectory } from '@sonde/stores/keys'

export function openAdmittedKeys(file: string, logger: Logger): KeyDirectory & { close(): void } {
  const keys = openKeyDirectory({ file, logger })
  return {
    find(publicKey) {
      const key = keys.find(publicKey)
      if (!key) return undefined
      const { keyId, projectId, orgId, isActive, rateLimit, projectRateLimit, allowedDomains } = key
      const { spansPerMinute, spansRefusedUntilMs } = key
      return {
        keyId,
        projectId,
        orgId,
        isActive,
        allowedDomains,
        ...(rateLimit ? { rateLimit } : {}),
        ...(projectRateLimit ? { projectRateLimit } : {}),
        spanCaps: {
          ...(spansPerMinute === undefined ? {} : { perMinute: spansPerMinute }),
          ...(spansRefusedUntilMs === undefined ? {} : { refusedUntilMs: spansRefusedUntilMs }),
        },
      }
    },
    refresh() {
      keys.refreshNow()
      if (keys.isReady()) return Promise.resolve()
      const error = new UnavailableError('the project keys could not be read yet', {
        operation: 'look up a key',
        subject: file,
        retryAfterSec: 2,
      })
      return Promise.reject(error)
    },
    close: () => keys.close(),
  }
}
