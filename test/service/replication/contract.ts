/** The contract of sources: every implementation passes all of it. */
import { afterAll, beforeAll, describe } from 'vitest';
import { describeClosing, describeLink } from './contract/link.ts';
import { describePositions } from './contract/positions.ts';
import { describeProblems } from './contract/problems.ts';
import { describeReading } from './contract/reading.ts';
import type { OpenRig, SourceRig } from './contract/rig.ts';
import { describeState } from './contract/state.ts';
import { describeTables } from './contract/tables.ts';

export function describeSource(name: string, open: OpenRig): void {
  describe(`${name}: the contract of sources`, () => {
    let opened: SourceRig;
    const rig = (): SourceRig => opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    describePositions(rig);
    describeState(rig);
    describeTables(rig);
    describeReading(rig);
    describeLink(rig);
    describeProblems(rig);
    describeClosing(rig);
  });
}
