export { createTunnel, type Tunnel, type TunnelOptions } from './create-tunnel.ts'
export type { Destination } from './allowed.ts'
