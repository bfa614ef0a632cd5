/** Names and addresses that never leave this machine. */

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|(?:::ffff:)?127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)
