import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer, type Server } from 'node:tls'
import { certificatePart } from '../../src/doctor/certificate-part.ts'

const DAY_MS = 86_400_000
describe('the certificate at the public address', () => {
  let server: Server
  let url = ''

  before(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sonde-certificate-'))
    const [key, cert] = [join(dir, 'key'), join(dir, 'cert')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
    execFileSync(
      'openssl',
      ['req', '-x509', ...kind, '-subj', '/CN=localhost', '-keyout', key, '-out', cert],
      {
        stdio: 'pipe',
      },
    )
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
    rmSync(dir, { recursive: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  test('a certificate that ends within a week is told, one that ended is down, and what is good is nothing to tell', async () => {
    const inDays = (days: number) => certificatePart(url, Date.now() + days * DAY_MS)
    assert.equal(await inDays(22), undefined)
    const soon = await inDays(24)
    assert.equal(soon?.state, 'degraded')
    assert.match(soon.detail, /^that of 127\.0\.0\.1 expires on \d{4}-\d\d-\d\d\. Renew it where TLS ends/)
    const over = await inDays(31)
    assert.equal(over?.state, 'down')
    assert.match(over.detail, /expired on/)
  })

  test('nothing is said without https, and where nobody answers', async () => {
    assert.equal(await certificatePart('http://127.0.0.1:1', 0), undefined)
    assert.equal(await certificatePart('https://127.0.0.1:1', 0), undefined)
  })
})
