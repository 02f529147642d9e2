/** Both sources keep the contract of sources. */
import { describeSource } from './contract.ts';
import { sources } from './sources.ts';

for (const [name, open] of sources) describeSource(name, () => open(''));
