/** A process of its own, since one can open one telemetry folder: prints what lies in the folder. */
import { recordsContent, telemetryContent } from './count-rows.ts'

const [dataDir = ''] = process.argv.slice(2)
console.log(JSON.stringify({ records: recordsContent(dataDir), telemetry: await telemetryContent(dataDir) }))
