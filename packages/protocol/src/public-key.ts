/** A DSN's public key: 32 hex, which Relay lets a flag follow (`….no-cache`). https://develop.sentry.dev/sdk/overview/#parsing-the-dsn */
const PUBLIC_KEY = /^([0-9a-f]{32})(?:\.[\w-]{0,32})?$/i

/** 32 lower hex without the flag, or undefined. */
export function normalizePublicKey(text: string): string | undefined {
  return PUBLIC_KEY.exec(text)?.[1]?.toLowerCase()
}
