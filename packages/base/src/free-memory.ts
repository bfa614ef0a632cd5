/**
 * Gives large buffers back at once instead of when they are collected. V8 counts their bytes beside its heap and collects all of the
 * heap once they have grown by 64 MB, however few of them are still used: a process that moves megabytes through buffers then spends
 * more on marking the same heap again and again than on its work.
 */

/**
 * Whoever still looks at one of `views` finds it empty. Only for buffers that nobody else has a part of: what `Buffer.from` and
 * `Buffer.allocUnsafe` give may lie in memory that Node shares among buffers; `Buffer.allocUnsafeSlow` and typed arrays do not.
 */
export function freeMemory(views: Iterable<Uint8Array>): void {
  const buffers = new Set<ArrayBufferLike>()
  for (const { buffer } of views) buffers.add(buffer)
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
