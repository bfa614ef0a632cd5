import { logConformance } from '../../src/conformance.ts'
import { temporaryLog } from './temporary-log.ts'

logConformance('embedded', () => temporaryLog())
logConformance('embedded (a segment per few records)', () => temporaryLog({ segmentBytes: 256 }))
