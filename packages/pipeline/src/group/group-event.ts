/** The grouping that new events get. Older versions stay beside it for issues that were made by them. */
export { type GroupedEvent, groupV1 as groupEvent } from './v1/group-v1.ts'
