export type { KeyDirectory, KeyInfo } from './admit/key-directory.ts'
export { createIngest, type Ingest, type IngestOptions } from './create-ingest.ts'
export type { DiskSpace } from './doors/visit.ts'
export {
  createProxyTrust,
  isAddressOrRange,
  type ProxyTrust,
  type TrustProxy,
} from './http/client-address.ts'
export { DEFAULT_LIMITS, type IngestLimits, type Quota } from './limits.ts'
export { SPIKE_HOUR, type SpikeLimits } from './admit/spike-limits.ts'
export { HTTP_SERVER_OPTIONS } from './server-options.ts'
