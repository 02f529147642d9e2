import { expect, test } from 'vitest';
import { createListeners } from '../../../server/service/ground/listeners.ts';

test('the same function may listen twice, and ending one registration keeps the other', () => {
  const listeners = createListeners<string>();
  const heard: string[] = [];
  const listen = (event: string) => void heard.push(event);
  const end = listeners.watch(listen);
  listeners.watch(listen);
  listeners.call('both');
  end();
  end();
  listeners.call('one');
  expect(heard).toEqual(['both', 'both', 'one']);
});
