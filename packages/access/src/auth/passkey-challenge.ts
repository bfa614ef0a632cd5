/**
 * What an authenticator is asked to sign (https://www.w3.org/TR/webauthn-3/#sctn-cryptographic-challenges): made without a
 * write, because everybody may ask for one, and taken once. What is kept are those that were signed rightly.
 */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'

/** `register` and `second` are for one person; `sign-in` is for whoever has a passkey. */
export type ChallengeUse = `register ${string}` | `second ${string}` | 'sign-in'

export type Challenges = {
  /** base64url: nonce, time and a keyed hash of both with the use. */
  make(use: ChallengeUse): string
  /** Whether it was made here for that use, within its time. Writes nothing. */
  isOurs(challenge: string, use: ChallengeUse): boolean
  /** False: somebody used it before. */
  spend(challenge: string): Promise<boolean>
}

/** A page with a form may stay open for a while. */
const LIFE_MS = 60 * 60_000
const NONCE_BYTES = 16
const TIME_BYTES = 8
const MAC_BYTES = 32
const BYTES = NONCE_BYTES + TIME_BYTES + MAC_BYTES

export function createChallenges(records: Records, clock: Clock, secret: string): Challenges {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sonde passkey challenge', 32))
  const mac = (head: Buffer, use: ChallengeUse): Buffer =>
    createHmac('sha256', key).update(head).update(use).digest()
  return {
    make(use) {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeBigUInt64BE(BigInt(clock.nowMs()))
      const head = Buffer.concat([randomBytes(NONCE_BYTES), time])
      return Buffer.concat([head, mac(head, use)]).toString('base64url')
    },
    isOurs(challenge, use) {
      const bytes = Buffer.from(challenge.slice(0, 2 * BYTES), 'base64url')
      if (bytes.length !== BYTES) return false
      const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
      if (!timingSafeEqual(mac(head, use), bytes.subarray(NONCE_BYTES + TIME_BYTES))) return false
      const ageMs = clock.nowMs() - Number(head.readBigUInt64BE(NONCE_BYTES))
      return ageMs >= 0 && ageMs < LIFE_MS
    },
    spend: (challenge) =>
      writeTransaction(records, async (tx) => {
        const nowMs = clock.nowMs()
        await tx.deleteFrom('passkey_challenge').where('expires_ms', '<=', nowMs).execute()
        const challenge_hash = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest('hex')
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('passkey_challenge')
          .values({ challenge_hash, expires_ms: nowMs + LIFE_MS })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n
      }),
  }
}
