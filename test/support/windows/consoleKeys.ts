/**
 * Ctrl-C and Ctrl-Break on Windows. One process cannot send them to another as signals: they reach all processes that share a
 * console, so the process that presses them must be attached to it. Node has no function for that, so this is a small program:
 *
 *     AttachConsole(pid);
 *     SetConsoleCtrlHandler(NULL, TRUE);
 *     done = GenerateConsoleCtrlEvent(key, 0)
 *         || CreateRemoteThread(OpenProcess(PROCESS_ALL_ACCESS, FALSE, pid), NULL, 0, CtrlRoutine, key, 0, NULL);
 *     TerminateProcess(GetCurrentProcess(), !done);
 *
 * Wine 8 has no event for Ctrl-Break. There the process runs, in a thread of its own, what the event would have run.
 */

export type ConsoleKey = 'Ctrl-C' | 'Ctrl-Break';

const events: Readonly<Record<ConsoleKey, number>> = { 'Ctrl-C': 0, 'Ctrl-Break': 1 };

const functions = [
  'AttachConsole',
  'SetConsoleCtrlHandler',
  'GenerateConsoleCtrlEvent',
  'OpenProcess',
  'CreateRemoteThread',
  'CtrlRoutine',
  'TerminateProcess',
] as const;

/** The place of the only section in memory and in the file. All addresses are relative to the start of the image. */
const section = { address: 0x1000, offset: 0x200, size: 0x400 };

/** The addresses of the parts of the section. */
const imports = section.address;
const table = imports + 40;
const lookups = table + 8 * (functions.length + 1);
const library = lookups + 8 * (functions.length + 1);
const names = library + 16;
const longestName = 32;
const code = names + longestName * functions.length;

/** Returns an executable file (PE32+, x86-64) that presses a key in the console of a process. */
export function keyProgram(pid: number, key: ConsoleKey): Uint8Array {
  const file = Buffer.alloc(section.offset + section.size);
  writeHeaders(file);
  writeImports(file);
  file.set(instructions(pid, events[key]), inFile(code));
  return file;
}

function inFile(address: number): number {
  return address - section.address + section.offset;
}

function writeHeaders(file: Buffer): void {
  file.write('MZ', 0);
  file.writeUInt32LE(0x40, 0x3c);
  file.write('PE\0\0', 0x40);
  file.writeUInt16LE(0x8664, 0x44);
  file.writeUInt16LE(1, 0x46);
  file.writeUInt16LE(0xf0, 0x54);
  // Executable, with addresses of 64 bits.
  file.writeUInt16LE(0x22, 0x56);
  const optional = 0x58;
  file.writeUInt16LE(0x20b, optional);
  file.writeUInt32LE(code, optional + 16);
  file.writeBigUInt64LE(0x140000000n, optional + 24);
  file.writeUInt32LE(section.address, optional + 32);
  file.writeUInt32LE(0x200, optional + 36);
  for (const version of [40, 48]) file.writeUInt16LE(6, optional + version);
  file.writeUInt32LE(section.address + 0x1000, optional + 56);
  file.writeUInt32LE(section.offset, optional + 60);
  // A program with windows, so it does not get its own console.
  file.writeUInt16LE(2, optional + 68);
  for (const reserved of [72, 88]) file.writeBigUInt64LE(0x100000n, optional + reserved);
  for (const committed of [80, 96]) file.writeBigUInt64LE(0x1000n, optional + committed);
  file.writeUInt32LE(16, optional + 108);
  file.writeUInt32LE(imports, optional + 120);
  file.writeUInt32LE(40, optional + 124);
  const sections = optional + 0xf0;
  file.write('.text', sections);
  file.writeUInt32LE(section.size, sections + 8);
  file.writeUInt32LE(section.address, sections + 12);
  file.writeUInt32LE(section.size, sections + 16);
  file.writeUInt32LE(section.offset, sections + 20);
  // Code that is read, written and run.
  file.writeUInt32LE(0xe0000020, sections + 36);
}

function writeImports(file: Buffer): void {
  file.writeUInt32LE(lookups, inFile(imports));
  file.writeUInt32LE(library, inFile(imports) + 12);
  file.writeUInt32LE(table, inFile(imports) + 16);
  file.write('kernelbase.dll', inFile(library));
  functions.forEach((name, index) => {
    const address = names + longestName * index;
    file.write(name, inFile(address) + 2);
    for (const list of [table, lookups]) file.writeUInt32LE(address, inFile(list) + 8 * index);
  });
}

function instructions(pid: number, event: number): readonly number[] {
  const bytes: number[] = [];
  const write = (...more: readonly number[]): void => void bytes.push(...more);
  /** Returns an operand that is an address relative to the end of the instruction. */
  const place = (name: (typeof functions)[number]): readonly number[] =>
    littleEndian(table + 8 * functions.indexOf(name) - (code + bytes.length + 4));
  const call = (name: (typeof functions)[number]): void => {
    write(0xff, 0x15);
    write(...place(name));
  };
  // sub rsp, 48h; mov ecx, pid
  write(0x48, 0x83, 0xec, 0x48, 0xb9, ...littleEndian(pid));
  call('AttachConsole');
  // xor ecx, ecx; mov edx, 1
  write(0x31, 0xc9, 0xba, ...littleEndian(1));
  call('SetConsoleCtrlHandler');
  // mov ecx, event; xor edx, edx
  write(0xb9, ...littleEndian(event), 0x31, 0xd2);
  call('GenerateConsoleCtrlEvent');
  // test eax, eax; jnz to the end
  write(0x85, 0xc0, 0x75, 0);
  const jump = bytes.length;
  // mov ecx, 1fffffh; xor edx, edx; mov r8d, pid
  write(0xb9, ...littleEndian(0x1fffff), 0x31, 0xd2, 0x41, 0xb8, ...littleEndian(pid));
  call('OpenProcess');
  // mov rcx, rax; xor edx, edx; xor r8d, r8d; mov r9, [CtrlRoutine]
  write(0x48, 0x89, 0xc1, 0x31, 0xd2, 0x45, 0x31, 0xc0, 0x4c, 0x8b, 0x0d);
  write(...place('CtrlRoutine'));
  // mov qword [rsp+20h], event; mov qword [rsp+28h], 0; mov qword [rsp+30h], 0
  for (const [at, value] of [
    [0x20, event],
    [0x28, 0],
    [0x30, 0],
  ] as const)
    write(0x48, 0xc7, 0x44, 0x24, at, ...littleEndian(value));
  call('CreateRemoteThread');
  bytes[jump - 1] = bytes.length - jump;
  // test rax, rax; sete dl; movzx edx, dl; mov rcx, -1
  write(0x48, 0x85, 0xc0, 0x0f, 0x94, 0xc2, 0x0f, 0xb6, 0xd2, 0x48, 0xc7, 0xc1, ...littleEndian(-1));
  call('TerminateProcess');
  return bytes;
}

function littleEndian(value: number): readonly number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return [...bytes];
}
