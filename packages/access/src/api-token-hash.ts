import { createHash } from 'node:crypto'

/** Lower hex. 256 bits of chance need no slow hash. */
export const hashApiToken = (token: string): string => createHash('sha256').update(token).digest('hex')
