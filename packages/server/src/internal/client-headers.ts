/** Names and addresses that never leave this machine. */

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)

/**
 * What the front tells the back about the client, in headers that the front alone writes: whatever a client sends under
 * these names is dropped. The back reads nothing else about where a request came from.
 */

/** Absent when the client was gone already. */
export const CLIENT_ADDRESS = 'x-sonde-client-address'
/** `https` when a proxy of the operator's says that TLS ended there; absent otherwise. */
export const CLIENT_PROTO = 'x-sonde-client-proto'

export const clientAddress = (headers: Headers): string | undefined =>
  headers.get(CLIENT_ADDRESS) ?? undefined
