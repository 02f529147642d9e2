/** The output of a cohort's step: lines, and chunks that are already encoded. */
import { type Block, blockOf } from '../../http/block.ts';
import type { Encoder } from '../encode/encoder.ts';
import { type Line, withWriteCheckpoint } from '../protocol.ts';

export type StepOutput = readonly (Line | EncodedOperations)[];

interface EncodedOperations {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** Returns the size of the operations in bytes. Lines are not counted, because they are small in comparison. */
export function operationBytes(output: StepOutput): number {
  return output.reduce((sum, each) => sum + ('bytes' in each ? each.bytes.byteLength : 0), 0);
}

interface Blocks {
  /** Returns one block for all clients with the same write checkpoint; most clients have none. Undefined: nothing is sent. */
  readonly blockFor: (writeCheckpoint: bigint | undefined) => Block | undefined;
  readonly operations: number;
}

export function blocksOf(output: StepOutput, encoder: Encoder): Blocks {
  const blocks = new Map<bigint | undefined, Block>();
  const make = (writeCheckpoint: bigint | undefined): Block => {
    const block = blockOf(
      output.map((each) =>
        'bytes' in each ? each.bytes : encoder.line(withWriteCheckpoint(each, writeCheckpoint)),
      ),
    );
    blocks.set(writeCheckpoint, block);
    return block;
  };
  return {
    blockFor: (writeCheckpoint) =>
      output.length === 0 ? undefined : (blocks.get(writeCheckpoint) ?? make(writeCheckpoint)),
    operations: output.reduce((sum, each) => sum + ('bytes' in each ? each.count : 0), 0),
  };
}
