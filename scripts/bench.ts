/** `npm run bench -- <name>`: measures, and prints what it measured next to what it should be. Never fails. */
const benches: Record<string, () => Promise<{ bench: () => void | Promise<void> }>> = {
  all: () => import('../test/bench/all.ts'),
  agents: () => import('../test/bench/agents.ts'),
  console: () => import('../test/bench/console/console.ts'),
  completion: () => import('../test/bench/completion.ts'),
  deploys: () => import('../test/bench/deploys/deploys.ts'),
  activation: () => import('../test/bench/activation.ts'),
  engine: () => import('../test/bench/engine.ts'),
  evaluate: () => import('../test/bench/evaluate.ts'),
  limits: () => import('../test/bench/limits.ts'),
  lsp: () => import('../test/bench/lsp.ts'),
  model: () => import('../test/bench/scale/model/page.ts'),
  scale: () => import('../test/bench/scale/scale.ts'),
  start: () => import('../test/bench/start.ts'),
  endurance: () => import('../test/bench/endurance.ts'),
  sync: () => import('../test/bench/sync.ts'),
  storage: () => import('../test/bench/storage.ts'),
  tests: () => import('../test/bench/tests.ts'),
  validate: () => import('../test/bench/validate.ts'),
};

const load = benches[process.argv[2] ?? ''];
if (load === undefined) {
  console.error(`Which bench? There are: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 1;
} else {
  const { bench } = await load();
  await bench();
}
