import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { partitionOf } from '../src/nats/place-projects.ts'

/** As the engine's documentation has it. */
function shardOf(projectId: number, weights: readonly number[]): number {
  const slots = weights.flatMap((weight, shard) => Array.from({ length: weight }, () => shard))
  return slots[projectId % slots.length] ?? -1
}

const weights = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 })
const projects = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 31 }), { minLength: 2, maxLength: 50 })

describe('the partition of a project', () => {
  it('has projects of one shard alone, where there are as many partitions as shards', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 12 }), projects, (shards, more, ids) => {
        const partitions = shards.length + more
        for (const id of ids) {
          const partition = partitionOf(id, partitions, shards)
          assert.ok(partition >= 0 && partition < partitions)
          assert.equal(partition % shards.length, shardOf(id, shards))
        }
      }),
    )
  })

  it('is where it was without shards, when the partitions are a multiple of them', () => {
    for (const [partitions, shards] of [
      [8, 1],
      [8, 2],
      [8, 4],
      [6, 3],
    ] as const)
      for (let id = 0; id < 100; id++)
        assert.equal(
          partitionOf(
            id,
            partitions,
            Array.from({ length: shards }, () => 1),
          ),
          id % partitions,
        )
  })

  it('uses all that the shards can have alike, and each of a few when there are more shards', () => {
    const used = (partitions: number, shards: readonly number[]) =>
      [...new Set(Array.from({ length: 200 }, (_, id) => partitionOf(id, partitions, shards)))].toSorted(
        (a, b) => a - b,
      )
    assert.deepEqual(used(8, [1, 1, 1]), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(used(8, [2, 1]), [0, 1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(used(2, [1, 1, 1]), [0, 1])
  })
})
