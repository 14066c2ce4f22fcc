// A process for the tests of `runProcess`; it fails or lingers when its settings say so.
import { createServer } from 'node:http';
import { choice, text } from '../config/kinds.ts';
import { runProcess } from '../service/run-process.ts';

const settings = {
  logLevel: text({ env: 'LOG_LEVEL', fallback: 'info', help: 'The least important log lines that are written.' }),
  behaviour: choice({
    env: 'BEHAVIOUR',
    of: ['serve', 'refuse', 'crash', 'reject'],
    help: 'What the process does.',
  }),
};

await runProcess({
  name: 'under-test',
  settings,
  createApp: async ({ behaviour }, log) => {
    const server = createServer();
    return {
      setup: async () => log.info('set up'),
      async start() {
        if (behaviour === 'refuse') throw new Error('cannot start');
        if (behaviour === 'crash') setImmediate(() => JSON.parse('{'));
        if (behaviour === 'reject') void Promise.reject(new Error('forgotten'));
        server.listen(0);
      },
      stop: async () => {
        server.close();
        log.info('closed');
      },
    };
  },
});
