/** What the questions about hydration have in common. */
import { HYDRATION_MISMATCH_OP, HYDRATION_PREFIX } from '@sonde/protocol/hydration'

/** Rows of `spans` that are mismatches, harmless ones among them. */
export const HYDRATION_MISMATCHES = `is_segment = 0 AND op = '${HYDRATION_MISMATCH_OP}'`

export const word = (key: string): string => `strings['${HYDRATION_PREFIX}${key}']`
