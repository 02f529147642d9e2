/** A library that PostgreSQL can load: a WebAssembly module with JavaScript that Emscripten evaluates when it loads the module. */

/** @param script JavaScript that is evaluated in Node with access to all modules of Node */
export function libraryThatEvaluates(script: string): Buffer {
  const text = [...Buffer.from(`(void)<::>{} ; ${script}`), 0];
  const memoryNeeds = [...number(text.length), 0, 0, 0];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(0, [...name('dylink.0'), 1, ...number(memoryNeeds.length), ...memoryNeeds]),
    ...section(2, [
      2,
      ...name('env'),
      ...name('memory'),
      2,
      0,
      0,
      ...name('env'),
      ...name('__memory_base'),
      3,
      i32,
      0,
    ]),
    ...section(6, [1, i32, 0, 0x41, 0, 0x0b]),
    ...section(7, [1, ...name('__em_js__hostile'), 3, 1]),
    ...section(11, [1, 0, 0x23, 0, 0x0b, ...number(text.length), ...text]),
  ]);
}

/** The code of the 32-bit integer type in WebAssembly. */
const i32 = 0x7f;

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...number(content.length), ...content];
}

function name(text: string): readonly number[] {
  return [...number(Buffer.byteLength(text)), ...Buffer.from(text)];
}

/** Encodes an unsigned number in LEB128. */
function number(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}
