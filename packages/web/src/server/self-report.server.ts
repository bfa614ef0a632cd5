/** Whether Sonde's own screens report to Sonde; built by the composition root. */
export type SelfReportState =
  | { readonly kind: 'on' | 'off'; readonly org: string; readonly project: string }
  /** `setting`: `SONDE_SELF_REPORT=off`. `reachable`: it is `auto`. `no-project`: somebody deleted it. */
  | { readonly kind: 'setting' | 'reachable' | 'no-project' }

/** What a page needs to report. */
export type PageReport = { readonly dsn: string; readonly release: string }

export type SelfReportPart = {
  readonly state: () => SelfReportState
  /** Undefined: pages stay silent. */
  readonly forPages: () => PageReport | undefined
  /** Takes effect with the next page that is loaded. */
  readonly set: (isOn: boolean) => Promise<void>
}
