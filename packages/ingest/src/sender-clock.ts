/** How far this machine's clock is from those of the senders: each envelope says when it was sent. */
import type { Clock } from '@sonde/base'

export type SenderClock = {
  /** `sentAt`: as the header of an envelope has it. */
  saw(sentAt: unknown): void
  /** The median of the last envelopes, in milliseconds; positive: this machine is ahead. Undefined: too few said it. */
  aheadMs(): number | undefined
}

/** Single clocks of visitors are wrong by anything; half of a hundred are not. */
const KEPT = 101
const NEEDED = 11
/** What is longer is no time. */
const MAX_CHARS = 40

export function createSenderClock(clock: Clock): SenderClock {
  const differences: number[] = []
  let at = 0
  return {
    saw(sentAt) {
      if (typeof sentAt !== 'string' || sentAt.length > MAX_CHARS) return
      const sentMs = Date.parse(sentAt)
      if (Number.isNaN(sentMs)) return
      differences[at] = clock.nowMs() - sentMs
      at = (at + 1) % KEPT
    },
    aheadMs: () =>
      differences.length < NEEDED
        ? undefined
        : differences.toSorted((a, b) => a - b)[Math.floor(differences.length / 2)],
  }
}
