/** The versions of grouping, side by side: issues that one of them made go on being found by it. */
import type { GroupingTrace } from '@sonde/protocol/event'
import { DEFAULT_GROUPING, type GroupingVersion } from '@sonde/stores'
import { type GroupedEvent, groupV1 } from './v1/group-v1.ts'
import { groupV2 } from './v2/group-v2.ts'
import { groupV3 } from './v3/group-v3.ts'
import { groupV4 } from './v4/group-v4.ts'

export type { GroupedEvent } from './v1/group-v1.ts'

const VERSIONS = { v1: groupV1, v2: groupV2, v3: groupV3, v4: groupV4 } as const satisfies Record<
  GroupingVersion,
  (event: GroupedEvent) => GroupingTrace
>

/** Pure. The result always has at least one hash: 32 lower hex. */
export function groupEvent(
  event: GroupedEvent,
  version: GroupingVersion = DEFAULT_GROUPING.version,
): GroupingTrace {
  return VERSIONS[version](event)
}
