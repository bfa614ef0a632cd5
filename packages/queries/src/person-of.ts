import type { Viewer } from '@sonde/access'

/** Whose own things a viewer sees: the person's who is signed in or made the token. Undefined: nobody's. */
export const personOf = (viewer: Viewer): string | undefined =>
  viewer.kind === 'operator' ? undefined : viewer.userId
