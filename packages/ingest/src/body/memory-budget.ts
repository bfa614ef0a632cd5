/**
 * Bounds what bodies hold in memory at once (guarantee G4). Bytes are taken when they arrive, not when
 * Content-Length claims them: a claim costs nothing to send. The heap may hold up to about three times
 * this for a moment: pieces, the joined body, and its copy for the log.
 */

export type Lease = {
  /** False: nothing was taken, the request must be refused. */
  take(bytes: number): boolean
  give(bytes: number): void
  /** Gives everything back; may be called more than once. */
  release(): void
}

export type MemoryBudget = {
  /** `owner`: who may hold only `keyShare` of all. Requests of unknown keys share one owner. */
  lease(owner: number): Lease
  usedBytes(): number
}

export function createMemoryBudget(totalBytes: number, ownerShare: number): MemoryBudget {
  const ownerMax = Math.floor(totalBytes * ownerShare)
  // Only owners that hold something: as small as the number of open requests.
  const byOwner = new Map<number, number>()
  let used = 0
  return {
    usedBytes: () => used,
    lease(owner) {
      let held = 0
      const give = (bytes: number): void => {
        const left = (byOwner.get(owner) ?? 0) - bytes
        if (left > 0) byOwner.set(owner, left)
        else byOwner.delete(owner)
        used -= bytes
        held -= bytes
      }
      return {
        give,
        take(bytes) {
          const ofOwner = (byOwner.get(owner) ?? 0) + bytes
          if (used + bytes > totalBytes || ofOwner > ownerMax) return false
          byOwner.set(owner, ofOwner)
          used += bytes
          held += bytes
          return true
        },
        release() {
          if (held > 0) give(held)
        },
      }
    },
  }
}
