/** What a crash is called on its system, from the code of its exception record. */

export type System = 'Windows' | 'Linux' | 'macOS' | 'iOS' | 'Android' | 'unknown'

/** https://learn.microsoft.com/openspecs/windows_protocols/ms-erref/596a1078-e883-4972-9bbc-49e60bebca55 */
const WINDOWS: Readonly<Record<number, string>> = {
  0x80000003: 'EXCEPTION_BREAKPOINT',
  0x80000004: 'EXCEPTION_SINGLE_STEP',
  0xc0000005: 'EXCEPTION_ACCESS_VIOLATION',
  0xc0000006: 'EXCEPTION_IN_PAGE_ERROR',
  0xc0000008: 'EXCEPTION_INVALID_HANDLE',
  0xc000001d: 'EXCEPTION_ILLEGAL_INSTRUCTION',
  0xc0000025: 'EXCEPTION_NONCONTINUABLE_EXCEPTION',
  0xc000008c: 'EXCEPTION_ARRAY_BOUNDS_EXCEEDED',
  0xc000008e: 'EXCEPTION_FLT_DIVIDE_BY_ZERO',
  0xc0000094: 'EXCEPTION_INT_DIVIDE_BY_ZERO',
  0xc0000095: 'EXCEPTION_INT_OVERFLOW',
  0xc0000096: 'EXCEPTION_PRIV_INSTRUCTION',
  0xc00000fd: 'EXCEPTION_STACK_OVERFLOW',
  0xc0000374: 'HEAP_CORRUPTION',
  0xc0000409: 'STACK_BUFFER_OVERRUN',
  0xe06d7363: 'Unhandled C++ Exception',
  0x517a7ed: 'Simulated Exception',
}
/** signal(7) */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  31: 'SIGSYS',
  0xffffffff: 'DUMP_REQUESTED',
}
/** mach/exception_types.h */
const MACH: Readonly<Record<number, string>> = {
  1: 'EXC_BAD_ACCESS',
  2: 'EXC_BAD_INSTRUCTION',
  3: 'EXC_ARITHMETIC',
  4: 'EXC_EMULATION',
  5: 'EXC_SOFTWARE',
  6: 'EXC_BREAKPOINT',
  7: 'EXC_SYSCALL',
  10: 'EXC_CRASH',
  11: 'EXC_RESOURCE',
  12: 'EXC_GUARD',
  0x43507378: 'Simulated Exception',
}

/** A code that no list has is named by its number. */
export function crashReason(system: System, code: number): string {
  const names = system === 'Windows' ? WINDOWS : system === 'macOS' || system === 'iOS' ? MACH : SIGNALS
  return names[code] ?? `0x${code.toString(16)}`
}
