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

/** Runs the checks that require all definitions together. */
export function checkAllPlans(
  definitions: readonly PlacedDefinition[],
  runs: readonly DefinitionRun[],
  surroundings: ConfigSurroundings,
  file: FileCollector,
): void {
  let byPlan: ReadonlyMap<StreamPlan | undefined, PlacedDefinition> | undefined;
  const placedOf = (plan: StreamPlan): PlacedDefinition | undefined => {
    byPlan ??= new Map(definitions.map((placed) => [placed.plan, placed]));
    return byPlan.get(plan);
  };
  const reportIn = (plan: StreamPlan): Report<Origin> => {
    const placed = placedOf(plan);
    return (code, { text, span }, args) => {
      const source = placed?.texts[text];
      if (placed && source) file.inPart(placed.part)(code, source.place(span), args);
    };
  };
  const acceptsRisk = (plan: StreamPlan): boolean => {
    const definition = placedOf(plan)?.definition;
    return definition !== undefined && definition.kind !== 'event' && definition.acceptDangerous;
  };
  const isOwnText = (plan: StreamPlan, text: number): boolean => {
    const { texts, globalCtes } = placedOf(plan) ?? {};
    const source = texts?.[text];
    return ![...(globalCtes?.used ?? [])].some(({ query }) => query === source);
  };
  const subject = { ...worldOf(surroundings), runs: runs.map(plansIn), reportIn, acceptsRisk, isOwnText };
  for (const { checkPlans } of checks) checkPlans?.(subject);
}

const plansIn = oncePer(
  ({ definitions }: DefinitionRun): PlanRun => definitions.flatMap(({ plan }) => plan ?? []),
);
