import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** CommonJS packages that an import loads. Drivers of databases and brokers are such packages. */
function packagesAfter(specifier: string): ReadonlySet<string> {
  const script = `
    import { createRequire } from 'node:module';
    await import(${JSON.stringify(specifier)});
    console.log(Object.keys(createRequire('/').cache).join('\\n'));
  `;
  const files = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return new Set(files.split('\n').map((file) => file.split('/node_modules/').at(-1)?.split('/')[0] ?? ''));
}

it('the gateway loads no driver of a database and no client of Kafka', () => {
  expect(packagesAfter('@survey/runtime/mongo/mongo-errors')).toContain('mongodb');
  const packages = packagesAfter(`${import.meta.dirname}/app.ts`);
  expect(packages).toContain('express');
  for (const name of ['mongodb', 'bson', 'kafkajs']) expect(packages).not.toContain(name);
});
