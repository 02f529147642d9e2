import { expect, test } from 'vitest';
import { SourceSilence, withPatience } from '../../../server/service/api/patience.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const never = new Promise<string>(() => {});

test('A silent source delays an answer by 5 s in total, however many questions it does not answer', async () => {
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

test('A failure of the source is passed on', async () => {
  const failing = withPatience(createManualClock(), (inTime) => inTime(Promise.reject(new Error('refused'))));
  await expect(failing).rejects.toThrow('refused');
});
