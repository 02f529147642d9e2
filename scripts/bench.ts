/** `npm run bench -- <name>`: measures, and prints the results next to the expected values. Never fails. */
const benches: Record<string, () => Promise<{ bench: () => void | Promise<void> }>> = {
  again: () => import('../test/bench/deploys/again.ts'),
  all: () => import('../test/bench/all.ts'),
  completion: () => import('../test/bench/completion.ts'),
  deploys: () => import('../test/bench/deploys/deploys.ts'),
  evaluate: () => import('../test/bench/evaluate.ts'),
  lsp: () => import('../test/bench/lsp.ts'),
  model: () => import('../test/bench/scale/model/page.ts'),
  peers: () => import('../test/bench/peers.ts'),
  scale: () => import('../test/bench/scale/scale.ts'),
  start: () => import('../test/bench/start.ts'),
  sync: () => import('../test/bench/sync.ts'),
  storage: () => import('../test/bench/storage.ts'),
};

const load = benches[process.argv[2] ?? ''];
if (load === undefined) {
  console.error(`Which bench? There are: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 1;
} else {
  const { bench } = await load();
  await bench();
}
