export { createIngest, type Ingest, type IngestOptions } from './create-ingest.ts'
export type { DiskSpace } from './request-context.ts'
export {
  createProxyTrust,
  isAddressOrRange,
  type ProxyTrust,
  type TrustProxy,
} from './http/client-address.ts'
export { DEFAULT_LIMITS, type IngestLimits, type Quota } from './limits.ts'
export { SPIKE_HOUR, type SpikeLimits } from './validate/spike-limits.ts'
export { HTTP_SERVER_OPTIONS } from './limits.ts'
