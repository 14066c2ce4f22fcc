import type { Demo } from './demo/demo.ts';
import { toDemoCommands } from './demo/demo-commands.ts';
import { runCommandLine, UsageError } from './process/command-line.ts';
import { listenForStop } from './process/listen-for-stop.ts';
import { defaultFolder } from './stack/folder.ts';
import { type Stack, startStack } from './stack.ts';

const USAGE = `npm start [-- --fresh]

Starts MongoDB, Kafka, the services and the gateway, with a demo tenant, and runs until Ctrl-C.

  --fresh   delete the data of earlier starts first
  --help    print this text

Environment:
  PORT                          port of the gateway; fails if it is taken (default: 8080, or the next free port)
  CORS_ORIGINS                  origins whose pages may call /v1/public (default: every port of this machine)
  LOCAL_DIR                     folder for data, keys and logs (default: .local)
  MONGODB_URI, KAFKA_BROKERS    existing servers to use
  OTEL_EXPORTER_OTLP_ENDPOINT   collector of traces (default: no traces)
  OTEL_LOGS_EXPORTER=otlp       send logs to the collector too

Commands for the running stack, in a second shell:
  npm run --silent admin -- demo     create another tenant, with an API key, a survey and responses
  npm run --silent admin -- --help   list all commands for tenants, users, tokens and keys
`;

async function start(fresh: boolean, port: number | undefined): Promise<void> {
  const stopping = listenForStop();
  const log = createProgressLog();
  let stack: Stack;
  try {
    const mongo = { preferContainer: true };
    stack = await startStack({
      fresh,
      ...(port === undefined ? {} : { port }),
      demo: true,
      mongo,
      log,
      signal: stopping,
    });
  } catch (error) {
    if (stopping.aborted) return;
    throw error;
  }
  log('ready');
  if (stack.demo) console.log(toWelcome(stack.info().gateway, stack.demo));
  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve());
  });
  log('stopping');
  await stack.stop();
  log('stopped');
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`PORT is not a port number: ${text}`);
}

function createProgressLog(): (line: string) => void {
  const start = performance.now();
  return (line) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
    console.log(`${seconds} s  ${line}`);
  };
}

function toWelcome(gateway: string, { token, surveyId, receiverUrl }: Demo): string {
  return `
Gateway        ${gateway}
Documentation  ${gateway}/docs
Console        ${gateway}/console/#token=${token}
Survey         ${gateway}/s/surveys/${surveyId}
Token          ${token}

${toDemoCommands({ gateway, token, surveyId })}
Show the received webhooks, newest first:
  curl -s ${receiverUrl}

Create a tenant of your own, with an API key, a survey and responses:
  npm run --silent admin -- demo

All files are in ${defaultFolder()}. Ctrl-C stops everything.
`;
}

await runCommandLine({
  usage: USAGE,
  options: { fresh: { type: 'boolean', default: false } },
  run: ({ values }) => start(values.fresh, process.env.PORT ? toPort(process.env.PORT) : undefined),
  toMessage: (error) => `\n${error instanceof Error ? error.message : error}`,
});
// All our work has ended, but the channel to bootstrap.js would keep the process alive.
if (process.connected) process.disconnect();
