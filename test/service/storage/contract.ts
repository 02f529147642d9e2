/** The contract of storages: every implementation passes all of it. */
import { describe } from 'vitest';
import { describeCommits } from './contract/commits.ts';
import { describeCompaction } from './contract/compaction.ts';
import { describeDeployments } from './contract/deployments.ts';
import { describeHistories } from './contract/histories.ts';
import { describeReading } from './contract/reading.ts';
import type { CreateRig } from './contract/rig.ts';
import { describeStored } from './contract/stored.ts';
import { describeWriteCheckpoints } from './contract/writeCheckpoints.ts';
import { describeWriting } from './contract/writing.ts';

export function describeStorage(name: string, create: CreateRig, histories: number): void {
  describe(`${name}: the contract of storages`, () => {
    describeDeployments(create);
    describeWriting(create);
    describeCommits(create);
    describeReading(create);
    describeStored(create);
    describeWriteCheckpoints(create);
    describeCompaction(create);
    describeHistories(create, histories);
  });
}
