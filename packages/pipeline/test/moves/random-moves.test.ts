/** Merges, splits and issues given back in any order, between events and stops: each event is counted where its fingerprint leads. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RunningJob } from '@sonde/jobs'
import fc from 'fast-check'
import { openMovesHarness } from './moves-harness.ts'

const KINDS = ['A', 'B', 'C', 'D', 'E'] as const
type Kind = (typeof KINDS)[number]

/** What people would expect: which kinds of error each issue has, and what was merged into it. */
type Model = {
  readonly kinds: Map<number, Set<Kind>>
  readonly sent: Map<Kind, number>
  /** Merged issue → the other, and the kinds that it brought. */
  readonly merged: Map<number, { readonly into: number; readonly kinds: Set<Kind> }>
  last: number
}

const step = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('merge' as const), into: fc.nat(20), other: fc.nat(20) }),
  fc.record({ do: fc.constant('back' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant('split' as const), issue: fc.nat(20), kind: fc.nat(20) }),
  fc.record({ do: fc.constant('stop' as const) }),
  fc.record({ do: fc.constant('settle' as const) }),
)

it('every event is counted once, in the issue that its fingerprint leads to', async (t) => {
  const harness = await openMovesHarness()
  const pipeline = await harness.start()
  t.after(async () => {
    await pipeline.stop()
    await harness.close()
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const project = await harness.createProject(`random-${++run}`)
      const model: Model = { kinds: new Map(), sent: new Map(), merged: new Map(), last: 0 }
      let job: RunningJob | undefined
      try {
        await send(project, model, KINDS)
        const hashes = new Map<Kind, string>()
        for (const row of await harness.telemetry.query<{ kind: Kind; hash: string }>(
          'SELECT exception_type AS kind, any(hashes[1]) AS hash FROM events WHERE project_id = {project:UInt32} GROUP BY kind',
          { project },
        ))
          hashes.set(row.kind, row.hash)
        for (const each of steps) {
          if (each.do === 'send') await send(project, model, each.kinds)
          if (each.do === 'merge') await merge(project, model, each.into, each.other)
          if (each.do === 'back') await giveBack(project, model, each.which)
          if (each.do === 'split') await split(project, model, hashes, each.issue, each.kind)
          if (each.do === 'stop') {
            await job?.stop()
            job = job ? undefined : harness.startMoves(pipeline)
          }
          if (each.do === 'settle') {
            job ??= harness.startMoves(pipeline)
            job.wake()
            await harness.settled(project)
          }
          assert.deepEqual(await harness.counts(project), countsOf(model))
        }
        job ??= harness.startMoves(pipeline)
        job.wake()
        await harness.settled(project)
        assert.deepEqual(await harness.stored(project), storedOf(model))
        assert.deepEqual(await harness.misplaced(project), [])
      } finally {
        await job?.stop()
      }
    }),
    { numRuns: 12 },
  )

  async function send(project: number, model: Model, kinds: readonly Kind[]): Promise<void> {
    await harness.send(project, kinds)
    for (const kind of kinds) {
      if (![...model.kinds.values()].some((own) => own.has(kind)))
        model.kinds.set(++model.last, new Set([kind]))
      model.sent.set(kind, (model.sent.get(kind) ?? 0) + 1)
    }
  }

  async function merge(project: number, model: Model, a: number, b: number): Promise<void> {
    const shown = [...model.kinds.keys()]
    const [into, other] = [shown[a % shown.length] ?? 0, shown[b % shown.length] ?? 0]
    if (into === other) return
    const [{ id: intoId }, { id }] = [await harness.issue(project, into), await harness.issue(project, other)]
    const done = await harness.moves.merge(
      { projectId: project, intoId, issueIds: [id], actor: 'user:u1' },
      async () => undefined,
    )
    assert.ok('into' in done)
    const brought = model.kinds.get(other) ?? new Set()
    model.merged.set(other, { into, kinds: new Set(brought) })
    for (const kind of brought) model.kinds.get(into)?.add(kind)
    model.kinds.delete(other)
  }

  async function giveBack(project: number, model: Model, which: number): Promise<void> {
    const open = [...model.merged].filter(([, { into }]) => model.kinds.has(into))
    const [back, merged] = open[which % Math.max(1, open.length)] ?? []
    if (back === undefined || !merged) return
    const own = model.kinds.get(merged.into) ?? new Set()
    const [{ id: issueId }, { id: backTo }] = [
      await harness.issue(project, merged.into),
      await harness.issue(project, back),
    ]
    const done = await harness.moves.takeOut(
      { projectId: project, issueId, hashes: [], backTo },
      async () => undefined,
    )
    if (merged.kinds.size === 0) return assert.deepEqual(done, { refused: 'gone' })
    if (merged.kinds.size === own.size) return assert.deepEqual(done, { refused: 'nothing_left' })
    assert.ok('to' in done)
    model.kinds.set(back, merged.kinds)
    for (const kind of merged.kinds) own.delete(kind)
    model.merged.delete(back)
    forget(model, merged.into, merged.kinds)
  }

  async function split(
    project: number,
    model: Model,
    hashes: ReadonlyMap<Kind, string>,
    a: number,
    b: number,
  ): Promise<void> {
    const shown = [...model.kinds]
    const [from, own] = shown[a % shown.length] ?? [0, new Set<Kind>()]
    const kind = [...own][b % own.size]
    if (kind === undefined) return
    const { id: issueId } = await harness.issue(project, from)
    const done = await harness.moves.takeOut(
      { projectId: project, issueId, hashes: [hashes.get(kind) ?? ''], backTo: undefined },
      async () => undefined,
    )
    if (own.size === 1) return assert.deepEqual(done, { refused: 'nothing_left' })
    assert.ok('to' in done)
    own.delete(kind)
    model.kinds.set(++model.last, new Set([kind]))
    forget(model, from, new Set([kind]))
  }
})

/** What was taken out of an issue is not what its others brought any more. */
function forget(model: Model, from: number, kinds: ReadonlySet<Kind>): void {
  for (const merged of model.merged.values())
    if (merged.into === from) for (const kind of kinds) merged.kinds.delete(kind)
}

const countsOf = ({ kinds, sent }: Model): Record<number, number> =>
  Object.fromEntries(
    [...kinds].map(([number, own]) => [
      number,
      [...own].reduce((sum, kind) => sum + (sent.get(kind) ?? 0), 0),
    ]),
  )

const storedOf = ({ kinds, sent }: Model): Record<number, Record<string, number>> =>
  Object.fromEntries(
    [...kinds].map(([number, own]) => [
      number,
      Object.fromEntries([...own].toSorted().map((kind) => [kind, sent.get(kind) ?? 0])),
    ]),
  )
