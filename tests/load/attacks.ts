/** What is done to a Sonde, by name. Each lasts about as long as it is told and says what it sent and what was answered. */
import { idPrefix } from '../../bench/load/template.ts'
import { bombs } from './bombs.ts'
import { idleConnections, slowSenders } from './connections.ts'
import { manyTagKeys, mixedSizes, oneFingerprint, ownFingerprints, ownReleases } from './payloads.ts'
import type { Scenario } from './scenario.ts'

const CONNECTIONS = 256

/** `times` the knee in an open loop; undefined: as fast as answers come. At most `count`. */
const flood =
  (
    envelopes: () => readonly string[],
    { times, count }: { readonly times?: number; readonly count?: number } = {},
  ): Scenario['attack'] =>
  async ({ attacker, target }, { forMs, kneePerSec, share }) => {
    await attacker.load('attack', envelopes(), target)
    const counts = await attacker.run({
      target,
      payloads: 'attack',
      connections: CONNECTIONS,
      durationMs: forMs,
      ratePerSec: times === undefined ? undefined : Math.round(times * kneePerSec),
      ...(count !== undefined && { count: Math.ceil(count * share) }),
      idPrefix: idPrefix(),
      firstCounter: 0,
    })
    const answered = counts.ok + counts.refused + counts.wrong
    const check = {
      name: 'answers',
      ok: answered > 0 && counts.wrong === 0,
      detail: `${counts.wrong} others`,
    }
    return { counts, isCounted: true, checks: [check] }
  }

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'overload-10x',
    what: '10 × the knee, bodies of 3 kB, 30 kB and 300 kB',
    attack: flood(mixedSizes, { times: 10 }),
  },
  {
    name: 'noisy-neighbour',
    what: 'one project sends 5 × the knee',
    attack: flood(oneFingerprint, { times: 5 }),
  },
  {
    name: 'slow-senders',
    what: '400 connections that send a byte a second, half of them in the headers, half in the body',
    attack: slowSenders(400),
  },
  { name: 'idle-5000', what: '5,000 connections that send nothing', attack: idleConnections(5_000) },
  { name: 'bombs', what: 'bodies of 200 kB that unpack to 200 MB: gzip, deflate, br, zstd', attack: bombs },
  {
    name: 'hot-fingerprint',
    what: 'all events in one issue, as fast as answers come',
    attack: flood(oneFingerprint),
  },
  {
    name: 'million-fingerprints',
    what: 'an issue of its own for each event, 1,000,000 of them or as many as the time allows',
    attack: flood(ownFingerprints, { count: 1_000_000 }),
  },
  {
    name: 'releases-100k',
    what: 'a release of its own for each event, 100,000 of them or as many as the time allows',
    attack: flood(ownReleases, { count: 100_000 }),
  },
  {
    name: 'tag-keys-10k',
    what: '10,000 tag keys, 50 in each event',
    attack: (place, plan) => flood(() => manyTagKeys(10_000 * plan.share), { times: 0.5 })(place, plan),
  },
]
