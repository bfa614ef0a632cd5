export type { StatusDay } from './component-days.ts'
export type { StatusComponentState, StatusIndicator } from './component-state.ts'
export type { StatusIncident } from './page-incidents.ts'
export {
  type StatusChoice,
  statusChoices,
  type StatusPageSettings,
  statusPageSettings,
} from './page-settings.ts'
export {
  draftStatusPage,
  publicStatusHistory,
  publicStatusPage,
  type StatusComponent,
  type StatusHistory,
  type StatusPage,
} from './public-page.ts'
