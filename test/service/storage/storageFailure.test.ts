import { expect, test } from 'vitest';
import { findFullDisk } from '../../../server/service/storage/storageFailure.ts';

test.each([
  ['that does not exist', '/headwater/no/such/folder'],
  // This file system reports a size of 0.
  ['of unknown size', '/proc'],
])('a disk %s is not reported as full', async (_what, folder) => {
  expect(await findFullDisk(folder)).toBeUndefined();
});
