/**
 * The tools for programs that let a model write a config: one table for `headwater mcp` and for VS Code, so that both are
 * always the same. A test compares the table with package.json, from which VS Code reads it.
 */
import type { Tool } from './tool.ts';
import {
  diffAccessTool,
  explainRowTool,
  findCounterexampleTool,
  previewUserTool,
  runAccessTestsTool,
} from './tools/access.ts';
import {
  describeConfigTool,
  describeSchemaTool,
  explainCodeTool,
  fixConfigTool,
  generateSchemaTool,
  migrateConfigTool,
  validateConfigTool,
} from './tools/config.ts';
import { deployLocalTool, serviceStatusTool } from './tools/service.ts';

export const tools: readonly Tool[] = [
  validateConfigTool,
  fixConfigTool,
  explainCodeTool,
  describeSchemaTool,
  describeConfigTool,
  explainRowTool,
  previewUserTool,
  runAccessTestsTool,
  findCounterexampleTool,
  diffAccessTool,
  migrateConfigTool,
  generateSchemaTool,
  serviceStatusTool,
  deployLocalTool,
];
