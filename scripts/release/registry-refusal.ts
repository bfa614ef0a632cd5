/** Whether npm could not ask, as opposed to having heard something bad: only npm's own error lines count, not advisories. */
export const isRegistryRefusal = (said: string): boolean =>
  /^npm error (?:code E(?:4\d\d|5\d\d|NOTFOUND|AI_AGAIN|CONN[A-Z]+|TIMEDOUT)\b|audit endpoint returned an error)/m.test(
    said,
  )
