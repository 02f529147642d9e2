import type { PlanRun } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import type { Report } from '../diagnostics/diagnostics.ts';
import { oncePer } from '../ground/oncePer.ts';
import type { ConfigSurroundings } from '../model/definition.ts';
import type { Origin } from '../plan/expression.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { worldOf } from './check.ts';
import type { PlacedDefinition } from './definitions.ts';
import type { FileCollector } from './findings.ts';
import type { DefinitionRun } from './runs.ts';

/** What only all definitions together tell. */
export function checkAllPlans(
  definitions: readonly PlacedDefinition[],
  runs: readonly DefinitionRun[],
  surroundings: ConfigSurroundings,
  file: FileCollector,
): void {
  let byPlan: ReadonlyMap<StreamPlan | undefined, PlacedDefinition> | undefined;
  const reportIn = (plan: StreamPlan): Report<Origin> => {
    byPlan ??= new Map(definitions.map((placed) => [placed.plan, placed]));
    const placed = byPlan.get(plan);
    return (code, { text, span }, args) => {
      const source = placed?.texts[text];
      if (placed && source) file.inPart(placed.part)(code, source.place(span), args);
    };
  };
  const subject = { ...worldOf(surroundings), runs: runs.map(plansIn), reportIn };
  for (const { checkPlans } of checks) checkPlans?.(subject);
}

const plansIn = oncePer(
  ({ definitions }: DefinitionRun): PlanRun => definitions.flatMap(({ plan }) => plan ?? []),
);
