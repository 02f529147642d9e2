import { nameOfConfig, namesOf } from '../../api/deployedConfig.ts';
import { type ListedConfig, listOnService } from '../../deploying/history.ts';
import { describeListed } from '../../deploying/historyWords.ts';
import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const history = command({
  name: 'history',
  summary: 'List the deployed sync configs, or show an earlier one',
  about: `Lists each deployed config once, newest first, with its state, the time of the deploy, and the user. The user is the person who
started the job in CI, and otherwise the account on the machine. With a number, it prints that config as it was deployed, so that
you can compare it or deploy it again.

A service that is not Headwater lists only the active config and the one that is being copied.

Exit code 1: there is no config with this number.

${aboutToken}`,
  words: { names: '[NUMBER]', least: 0, most: 1 },
  options: instanceOptions,
  examples: ['history', 'history 7 > earlier.yaml'],
  run: async (call) => {
    const [wanted] = call.words;
    const configs = await withService(call, (api) => listOnService(api, call.world.signal));
    if (wanted === undefined)
      return {
        code: 0,
        json: { configs: configs.map(jsonOf) },
        lines:
          configs.length === 0
            ? ['Nothing has been deployed.']
            : configs.map((config) => `${call.paint.bold(nameOfConfig(config))}: ${describeListed(config)}`),
      };
    const found = configs.find(({ configNumber }) => `${configNumber}` === wanted);
    if (found === undefined)
      throw new CliFailure(`The service has no config ${wanted}. headwater history lists its configs.`, 1);
    return { code: 0, json: jsonOf(found), lines: [found.content.replace(/\n$/, '')] };
  },
});

function jsonOf(config: ListedConfig): object {
  const { state, deployedAt, hasServed, content } = config;
  return {
    ...namesOf(config),
    state,
    ...(deployedAt !== undefined && { deployedAt: new Date(deployedAt).toISOString() }),
    ...(hasServed !== undefined && { hasServed }),
    content,
  };
}
