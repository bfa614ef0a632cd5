/** Recordings of session replays: refused by name, or cleaned, masked, counted and read by the player's lists without a throw. */
import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { RECORDING_STAGES } from '../../../packages/pipeline/src/replays/replay-stages.ts'
import { isDropped } from '../../../packages/pipeline/src/stage-runner.ts'
import { spanInput } from '../../../packages/pipeline/test/spans/span-input-of.ts'
import { entriesOf } from '../../../packages/web/src/routes/[org]/[project]/replays/[replay]/entries.ts'
import type { RecordedEvent } from '../../../packages/web/src/routes/[org]/[project]/replays/[replay]/frame-messages.ts'
import { withoutLoads } from '../../../packages/web/src/routes/[org]/[project]/replays/[replay]/without-loads.ts'
import { custom, hostilePage } from '../../harness/replay-events.ts'
import type { Target } from '../engine/target.ts'
import { mutateJson } from '../mutators/json.ts'

const AT = Date.UTC(2026, 0, 2)
const REPLAY = 'ab'.repeat(16)
const NEVER = [
  '"tagName":"script"',
  '"tagName":"object"',
  '"tagName":"embed"',
  '"tagName":"base"',
  '"onerror"',
]

const SEEDS = [
  hostilePage(AT, 'https://evil.example'),
  [
    custom(AT, 'breadcrumb', {
      timestamp: AT / 1000,
      category: 'ui.slowClickDetected',
      message: 'button#pay',
      data: { endReason: 'timeout', clickCount: 4 },
    }),
    custom(AT, 'performanceSpan', {
      op: 'resource.fetch',
      description: '/api',
      startTimestamp: AT / 1000,
      endTimestamp: AT / 1000 + 1,
      data: { statusCode: 503, method: 'GET' },
    }),
  ],
]

export const recording: Target = {
  name: 'recording',
  seeds: () => SEEDS.map((events) => Buffer.from(JSON.stringify(events))),
  mutate: mutateJson,
  words: [
    '"tagName":',
    '"childNodes":[',
    '"attributes":{',
    '"isStyle":true',
    '"__proto__":',
    '"source":5,"text":',
  ],
  open: () => {
    const { settings, ...input } = spanInput({ header: { type: 'replay_recording' }, payload: '' })
    const scrub = { ...settings.scrub, maskReplayTexts: true, maskReplayInputs: true }
    return {
      run(bytes) {
        const payload = Buffer.concat([Buffer.from('{"segment_id":0}\n'), bytes])
        const result = RECORDING_STAGES.run(
          { ...input, settings: { ...settings, scrub }, eventId: REPLAY, payload },
          new Map(),
        )
        if (isDropped(result)) return
        const text = inflateSync(result.item.recording?.content ?? Buffer.alloc(0)).toString()
        for (const word of NEVER) assert.ok(!text.includes(word), `${word} is stored`)
        const events = JSON.parse(text) as RecordedEvent[]
        entriesOf(events, 0)
        for (const event of events) withoutLoads(event)
      },
    }
  },
}
