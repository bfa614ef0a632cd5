/** Profiles: refused by name, or stored as a tree whose times add up, which the screens read without a throw. */
import assert from 'node:assert/strict'
import { isMissingFiles } from '../../../packages/pipeline/src/maps/file-requests.ts'
import { PROFILE_STAGES } from '../../../packages/pipeline/src/profiles/profile-stages.ts'
import { isDropped } from '../../../packages/pipeline/src/stage-runner.ts'
import { cells } from '../../../packages/pipeline/test/spans/row-cells.ts'
import { spanInput } from '../../../packages/pipeline/test/spans/span-input-of.ts'
import { profileDifference } from '../../../packages/queries/src/profiles/profile-difference.ts'
import { treeOf } from '../../../packages/queries/src/profiles/profile-tree.ts'
import type { Target } from '../engine/target.ts'
import { mutateJson } from '../mutators/json.ts'

const FRAMES = [
  {
    function: 'price',
    filename: 'shop/price.py',
    abs_path: '/app/shop/price.py?v=1',
    lineno: 12,
    in_app: true,
  },
  { function: 'handle', module: 'shop.views', lineno: 3, colno: 7, platform: 'javascript' },
  { instruction_addr: '0x1f', package: 'libshop.so' },
]
const SHAPE = {
  frames: FRAMES,
  stacks: [[0, 1, 0], [1], [2, 1], []],
  thread_metadata: { '7': { name: 'main' } },
}
const OF_A_TRANSACTION = {
  version: '1',
  event_id: 'c'.repeat(32),
  platform: 'python',
  release: 'shop@1.4.2',
  timestamp: '2026-01-02T00:00:00Z',
  transactions: [{ id: 'd'.repeat(32), name: 'GET /cart', trace_id: 'a'.repeat(32), active_thread_id: '7' }],
  profile: {
    ...SHAPE,
    samples: [0, 1, 3, 2].map((stack, at) => ({
      stack_id: stack,
      thread_id: at === 3 ? '8' : '7',
      elapsed_since_start_ns: String(at * 1e7),
    })),
  },
}
const CHUNK = {
  version: '2',
  chunk_id: 'e'.repeat(32),
  profiler_id: 'f'.repeat(32),
  platform: 'node',
  profile: {
    ...SHAPE,
    samples: [0, 1, 0].map((stack, at) => ({
      stack_id: stack,
      thread_id: '7',
      timestamp: 1_767_312_000 + at / 100,
    })),
  },
}

export const profile: Target = {
  name: 'profile',
  seeds: () => [OF_A_TRANSACTION, CHUNK].map((each) => Buffer.from(JSON.stringify(each))),
  mutate: mutateJson,
  words: ['"stacks":[[', '"stack_id":', '"elapsed_since_start_ns":', '"__proto__":', '"chunk_id":', '1e308'],
  open: () => ({
    run(payload) {
      for (const type of ['profile', 'profile_chunk'] as const) {
        const result = PROFILE_STAGES.run(
          { ...spanInput({ header: { type }, payload: '' }), payload },
          new Map(),
        )
        if (isDropped(result) || isMissingFiles(result)) continue
        const [row] = cells('profiles', result)
        // JSON has no other characters that the row writes with a backslash.
        const body = (row?.['body'] ?? '').replaceAll('\\\\', '\\')
        assert.equal(row?.['body_size'], String(Buffer.byteLength(body)))
        const tree = treeOf([body, body])
        const selfMs = tree.nodes.reduce((sum, node) => sum + node.selfMs, 0)
        assert.ok(
          Math.abs(selfMs - tree.totalMs) <= 1e-6 * (1 + tree.totalMs),
          `${selfMs} of ${tree.totalMs} ms`,
        )
        tree.nodes.forEach(({ parent, totalMs }, at) => {
          assert.ok(parent < at, 'a caller stands behind what it calls')
          assert.ok(Number.isFinite(totalMs) && totalMs >= 0, `a call takes ${totalMs} ms`)
        })
        profileDifference([body], [body, body])
      }
    },
  }),
}
