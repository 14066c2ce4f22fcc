// A process for the tests of `runProcess`. It can fail or hang, depending on its settings.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { processSettings } from '../../config/common-settings.ts';
import { choice } from '../../config/kinds.ts';
import { runProcess } from '../../service/run-process.ts';

const settings = {
  logLevel: processSettings.logLevel,
  drainMs: processSettings.drainMs,
  stopMs: processSettings.stopMs,
  behaviour: choice({
    env: 'BEHAVIOUR',
    values: ['serve', 'refuse', 'crash', 'reject', 'hang', 'start slowly', 'create slowly'],
    help: 'What the process does.',
  }),
};

await runProcess({
  name: 'under-test',
  settings,
  createApp: async ({ behaviour }, log) => {
    if (behaviour === 'create slowly') {
      log.info('creating');
      await setTimeout(60_000);
    }
    const server = createServer();
    const stopped = Promise.withResolvers<never>();
    return {
      setup: async () => log.info('set up'),
      async start() {
        if (behaviour === 'start slowly') {
          server.listen(0);
          log.info('starting');
          await stopped.promise;
        }
        if (behaviour === 'refuse') throw new Error('cannot start');
        if (behaviour === 'crash') setImmediate(() => JSON.parse('{'));
        if (behaviour === 'reject') void Promise.reject(new Error('forgotten'));
        server.listen(0);
      },
      stop: async () => {
        if (behaviour === 'start slowly') stopped.reject(new Error('what it needs to start is closed'));
        if (behaviour === 'hang') await new Promise(() => {});
        server.close();
        log.info('closed');
      },
    };
  },
});
