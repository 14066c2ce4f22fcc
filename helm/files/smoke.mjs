// Run by `helm test` with the gateway's address as its argument.
import { setTimeout } from 'node:timers/promises';

const gateway = process.argv[1];
const expected = { '/health': 200, '/openapi.json': 200, '/docs': 200, '/v1/surveys': 401, '/nowhere': 404 };
/** Pods may still be on their way in or out. */
const deadline = Date.now() + 60_000;

/** The fault of the reply to a path; '' if there is none. */
async function findWrong(path, status) {
  try {
    const response = await fetch(gateway + path, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    return response.status === status ? '' : `${response.status} instead of ${status}: ${body}`;
  } catch (error) {
    return `${error.message}: ${error.cause ?? 'no answer'}`;
  }
}

for (const [path, status] of Object.entries(expected)) {
  let wrong = await findWrong(path, status);
  while (wrong && Date.now() < deadline) {
    await setTimeout(1000);
    wrong = await findWrong(path, status);
  }
  if (wrong) process.exitCode = 1;
  process.stdout.write(`${wrong ? 'WRONG' : 'ok'} ${path} ${wrong || status}\n`);
}
