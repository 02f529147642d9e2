import { expect, test } from 'vitest';
import { SourceSilence, withPatience } from '../../../server/service/api/patience.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const never = new Promise<string>(() => {});

test('Who asks a silent source gets the rest of the answer after a while, once for all questions', async () => {
  const clock = createManualClock();
  const answer = withPatience(clock, async (inTime) => {
    const said = await inTime(Promise.resolve('here'));
    const first = await inTime(never).catch((error: unknown) => error);
    const second = await inTime(never).catch((error: unknown) => error);
    return [said, first, second];
  });
  await clock.advance(4_999);
  expect(await Promise.race([answer, Promise.resolve('waiting')])).toBe('waiting');
  await clock.advance(1);
  expect(await answer).toEqual(['here', expect.any(SourceSilence), expect.any(SourceSilence)]);
});

test('What the source says is told, also that it fails', async () => {
  const failing = withPatience(createManualClock(), (inTime) => inTime(Promise.reject(new Error('refused'))));
  await expect(failing).rejects.toThrow('refused');
});
