import { command } from '../command.ts';
import { deployFile, readDeployable } from '../deployFile.ts';
import { rateRange, waitOptions } from '../deployment.ts';
import { deployToCloud } from '../deployToCloud.ts';
import { planDeploy } from '../diff/plan.ts';
import { aboutToken, findCloudLink, instanceOptions } from '../instance.ts';

export const deploy = command({
  name: 'deploy',
  summary: 'Deploy a sync config and wait until it is active',
  about: `Checks a sync config here and on the service, deploys it, and waits until everything is copied and it is active. Until
then, the previous config stays active. If the service already has exactly this config, nothing happens. A Headwater service
copies nothing if it has stored all that the config needs: then it is active at once.

With --plan, nothing is deployed: the service says what it would do with each stream, which tables it would copy, with the
number of rows that its source estimates, what clients would download again, and who would be over a limit.

In a project that cli.yaml links to PowerSync Cloud, the config is checked here, compared with sync-fetched.yaml if
\`powersync pull instance\` has written that, and deployed by PowerSync's own command line. A service that \`headwater dev\` runs
in this folder comes first.

While it is copied, \`headwater copy\` pauses, resumes, slows or gives it up.

Exit code 0: active, or planned; 1: refused or failed; 2: not active in time, or the service did not answer.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    ...waitOptions,
    plan: { summary: 'Only say what a deploy would do, and deploy nothing' },
    rate: {
      value: 'ROWS',
      between: rateRange,
      summary: 'Copy at most so many rows in a second, on average: it spares the source and other clients',
    },
    force: { alias: '-f', summary: 'Deploy even if there are errors, or if nothing has changed' },
  },
  examples: [
    'deploy',
    'deploy --plan',
    'deploy --rate 5000',
    'deploy sync.yaml --service https://sync.example.com --timeout 600',
  ],
  run: async (call) => {
    const own = await readDeployable(call);
    const cloud = await findCloudLink(call);
    if (cloud !== undefined) return deployToCloud(call, own, cloud);
    return call.has('plan') ? planDeploy(call, own) : deployFile({ ...call, rate: call.number('rate') }, own);
  },
});
