export const REPORT_META = 'sonde-report'
