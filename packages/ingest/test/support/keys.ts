import type { KeyInfo, KeySource } from '@sonde/stores/keys'

export const KEY = 'a'.repeat(32)
export const OTHER_PROJECT_KEY = 'b'.repeat(32)
export const DISABLED_KEY = 'd'.repeat(32)
export const LIMITED_KEY = 'e'.repeat(32)
export const PICKY_KEY = 'c'.repeat(32)
export const UNKNOWN_KEY = 'f'.repeat(32)
export const PROJECT = 42
export const ORG = 7

export const ALL_KEYS: readonly (readonly [string, KeyInfo])[] = [
  [KEY, { keyId: 1, projectId: PROJECT, orgId: ORG, isActive: true }],
  [OTHER_PROJECT_KEY, { keyId: 2, projectId: 99, orgId: ORG, isActive: true }],
  [DISABLED_KEY, { keyId: 3, projectId: PROJECT, orgId: ORG, isActive: false }],
  [
    LIMITED_KEY,
    { keyId: 4, projectId: PROJECT, orgId: ORG, isActive: true, rateLimit: { count: 2, windowSec: 60 } },
  ],
  [
    PICKY_KEY,
    { keyId: 5, projectId: PROJECT, orgId: ORG, isActive: true, allowedDomains: ['*.shop.example'] },
  ],
]

export function keySource(known: readonly (readonly [string, KeyInfo])[]): KeySource {
  const keys = new Map(known)
  return {
    read: async (version) => (version === undefined ? { version: '1', keys } : undefined),
    close: async () => undefined,
  }
}
