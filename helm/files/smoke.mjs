// Run by `helm test` with the gateway's address as its argument.
const gateway = process.argv[1];
const expected = { '/health': 200, '/openapi.json': 200, '/docs': 200, '/v1/surveys': 401, '/nowhere': 404 };
let failed = false;
for (const [path, status] of Object.entries(expected)) {
  const response = await fetch(gateway + path, { signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  const isRight = response.status === status;
  failed ||= !isRight;
  const wrong = isRight ? '' : ` instead of ${status}: ${body}`;
  process.stdout.write(`${isRight ? 'ok' : 'WRONG'} ${path} ${response.status}${wrong}\n`);
}
process.exitCode = failed ? 1 : 0;
