/** Tools about a running service. */
import type { Draft } from '../budget.ts';
import { commandOutput, draftOf, fileInput, inputSchema, subjectIn, type Tool } from '../tool.ts';

export const serviceStatusTool: Tool = {
  name: 'service_status',
  title: 'Service Status',
  purpose: 'Reads the state of the service of the workspace.',
  icon: 'pulse',
  sentences:
    'Reports the state of the service of this workspace: its source, the active config, the config that is being copied, its lag, and its problems. `yes`: a config is active and making progress, without fatal errors or missing tables and columns; there may be warnings. It changes nothing.',
  input: inputSchema({
    directory: {
      ...fileInput,
      description: 'The project folder, which contains cli.yaml, if there are several projects.',
    },
  }),
  output: commandOutput,
  touches: 'reads the target',
  async run({ input, judge, signal }): Promise<Draft> {
    const { file: directory } = subjectIn({ file: input.directory });
    const report = await judge.run(
      { words: ['status'], options: { check: true, directory }, reach: 'reads the target' },
      signal,
    );
    return draftOf(report);
  },
};

export const deployLocalTool: Tool = {
  name: 'deploy_local',
  title: 'Deploy to the Local Service',
  purpose: 'Deploys the sync config to the local service, and to no other.',
  icon: 'cloud-upload',
  sentences:
    'Deploys the sync config to the local service of this workspace (headwater dev), and waits until the config is active. It never deploys to any other service. A config with errors is refused. `yes`: the config is active.',
  input: inputSchema({
    file: fileInput,
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: 300,
      description: 'How many seconds to wait until the config is active (default: 120).',
    },
  }),
  output: commandOutput,
  touches: 'deploys to the local service',
  async run({ input, judge, signal }): Promise<Draft> {
    const report = await judge.run(
      {
        words: ['deploy'],
        options: { timeout: String(input.timeout ?? 120) },
        subject: subjectIn({ file: input.file }),
        reach: 'deploys to the local service',
      },
      signal,
    );
    return draftOf(report);
  },
};
