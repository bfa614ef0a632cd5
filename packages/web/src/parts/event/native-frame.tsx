/** What only frames of native programs have: their address, how sure they are, and the registers of their stack. */
import type { Frame, Stacktrace } from '@sonde/protocol/event'
import { countOf } from '../../format/format-count.ts'
import { LazyFold } from './lazy-fold.tsx'

/** In the words of minidump readers: https://docs.sentry.io/platforms/native/guides/minidumps/ */
const TRUSTS: Readonly<Record<string, readonly [short: string, title: string]>> = {
  context: ['', 'From the registers of the thread'],
  cfi: ['', 'Unwound with call frame information'],
  fp: ['', 'Found by the frame pointer'],
  prewalked: ['', 'Unwound by the crash reporter'],
  scan: ['scanned', 'Found by scanning the stack for addresses of code: it may be none'],
  'cfi-scan': ['scanned', 'Unwound after scanning the stack: it may be none'],
}

/** Nothing for other frames. */
export function NativeMarks({ frame }: { readonly frame: Frame }) {
  const { instruction_addr: address, data, function: name } = frame
  if (address === undefined) return null
  const trust = data?.['trust']
  const [short = '', title] = (typeof trust === 'string' && TRUSTS[trust]) || []
  return (
    <>
      {name !== undefined && (
        <code className="frame-address" title={title}>
          {address}
        </code>
      )}
      {data?.['inlined'] === true && <span className="frame-trust">inlined</span>}
      {short !== '' && (
        <span className="frame-trust frame-unsure" title={title}>
          {short}
        </span>
      )}
    </>
  )
}

const MAX_REGISTERS = 100

/** As they were where the thread stood. */
export function Registers({ registers }: { readonly registers: Stacktrace['registers'] }) {
  const all = Object.entries(registers ?? {}).slice(0, MAX_REGISTERS)
  if (all.length === 0) return null
  return (
    <LazyFold className="fold registers" summary={countOf(all.length, 'register')}>
      {() => (
        <dl className="register-grid">
          {all.map(([name, value]) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </LazyFold>
  )
}
