/** Minidumps: refused by name, or an event that the stages take whole; never more frames, threads and images than are shown. */
import assert from 'node:assert/strict'
import { withMinidump } from '../../../packages/pipeline/src/minidump/minidump-event.ts'
import { buildDump, MODULE, STACK } from '../../../packages/pipeline/test/minidump/build-dump.ts'
import type { Target } from '../engine/target.ts'
import { mutateBinary } from '../mutators/binary.ts'
import { envelopeAround } from '../mutators/envelope.ts'
import { fixture } from './fixtures.ts'
import { checkProcessed, processBody } from './process.ts'

export const minidump: Target = {
  name: 'minidump',
  seeds: () => [
    buildDump({ stack: [0, MODULE.base + 0x2010, STACK + 32, 7, 0, MODULE.base + 0x3000], fp: STACK }),
    ...['linux', 'macos', 'windows'].map((system) => fixture(`relay/native/${system}.dmp`)),
  ],
  mutate: mutateBinary,
  words: ['MDMP', 'RSDS', 'LEpB', '\x03\0\0\0', '\x04\0\0\0', '\x06\0\0\0'],
  open: () => ({
    run(input) {
      const event = JSON.parse(Buffer.from(withMinidump(undefined, {}, input)).toString()) as {
        readonly threads?: {
          readonly values: readonly { readonly stacktrace?: { readonly frames: readonly unknown[] } }[]
        }
        readonly debug_meta?: { readonly images: readonly unknown[] }
      }
      const threads = event.threads?.values ?? []
      assert.ok(threads.length <= 256, `${threads.length} threads`)
      assert.ok(
        threads.every(({ stacktrace }) => (stacktrace?.frames.length ?? 0) <= 250),
        'a stack is too deep',
      )
      assert.ok((event.debug_meta?.images.length ?? 0) <= 10_000, 'there are too many images')
      const header = { type: 'attachment', filename: 'crash.dmp', attachment_type: 'event.minidump' }
      const processed = processBody(envelopeAround({ event_id: 'f'.repeat(32) }, input, header))
      checkProcessed(processed)
      assert.equal(processed.events.length + processed.outcomes.length >= 1, true, 'the crash has no end')
    },
  }),
}
