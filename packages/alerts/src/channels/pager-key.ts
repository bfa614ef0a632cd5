/** By what a pager knows an incident of ours, when we tell of it and when it tells us. */

const PREFIX = 'sonde-incident-'

/** `key`: of a message that is about no incident. */
export const pagerKey = (incidentId: number | undefined, key: string): string =>
  incidentId === undefined ? key : `${PREFIX}${incidentId}`

/** Undefined: it is not one of ours. */
export function incidentOfPagerKey(text: string): number | undefined {
  const id = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined
}
