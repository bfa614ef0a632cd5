/**
 * A real nginx in the place of the load balancer, with the configuration of `deploy/compose.cluster.yaml`: only where members are
 * is another. `SONDE_TEST_NGINX` names the program.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { freePort } from '../free-ports.ts'
import type { Balancer, Upstream, Upstreams } from './balancer.ts'

const COMPOSE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'compose.cluster.yaml')
const START_MS = 10_000

export async function startNginx(program: string, upstreams: Upstreams): Promise<Balancer> {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-nginx-'))
  mkdirSync(join(dir, 'temp'))
  const port = await freePort()
  writeFileSync(join(dir, 'nginx.conf'), configuration(port, upstreams))
  const child = spawn(program, ['-p', dir, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'inherit' })
  const killChild = (): void => void child.kill('SIGKILL')
  process.once('exit', killChild)
  const endMs = Date.now() + START_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > endMs) throw new Error(`nginx did not start: ${dir}`)
    await sleep(20)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    unanswered: () => readFileSync(join(dir, 'error.log'), 'utf8').match(/no live upstreams/g)?.length ?? 0,
    async stop() {
      process.off('exit', killChild)
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(dir, { recursive: true })
    },
  }
}

function configuration(port: number, upstreams: Upstreams): string {
  const { configs } = parse(readFileSync(COMPOSE, 'utf8')) as { configs: { proxy: { content: string } } }
  const server = configs.proxy.content
    .replaceAll('$$', '$')
    .replace(/^resolver .*\n/m, '')
    .replace('listen 8600;', `listen 127.0.0.1:${port};`)
    .replaceAll(/ zone \w+ \w+;/g, '')
    .replaceAll(/server (ingest|web):8600 resolve([^;]*);/g, (_, upstream: Upstream, more: string) =>
      upstreams[upstream].map((url) => `server ${new URL(url).host}${more};`).join(' '),
    )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path temp/${name};`,
  )
  return `daemon off; user root; worker_processes 1; pid nginx.pid;
events {}
http {
access_log off;
${temporary.join('\n')}
${server}}
`
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
