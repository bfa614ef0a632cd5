/** Another process that starts with the same records: prints the key that it goes on with. */
import { join } from 'node:path'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { openSecret } from '../../src/secret/open-secret.ts'

const dir = process.argv[2] ?? ''
const opened = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
process.stdout.write(await openSecret(opened, join(dir, 'secret.key'), silentLogger))
await opened.close()
