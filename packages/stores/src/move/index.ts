/** Taking what lies in a data folder over to servers. Loaded by `sonde move` alone. */
export { type Compared } from './compared.ts'
export { checkBlobsTarget, compareBlobs, copyBlobs } from './copy-blobs.ts'
export { checkRecordsTarget, copyRecords } from './copy-records.ts'
export {
  checkTelemetryTarget,
  compareTelemetry,
  copyTelemetry,
  holdParts,
  type TelemetryCopied,
  telemetryParts,
} from './copy-telemetry.ts'
