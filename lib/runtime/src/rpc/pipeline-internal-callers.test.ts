import { catalog } from '@survey/proto/catalog';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { accessOf } from './access.ts';
import { createPipeline } from './pipeline.ts';

const processes = ['gateway', 'operator', ...Object.keys(catalog)];
const internal = Object.values(catalog)
  .flat()
  .flatMap((service) => service.methods)
  .flatMap((method) => {
    const access = accessOf(method);
    return access.kind === 'internal' ? [{ method, callers: access.callers }] : [];
  });

/** The result of a call by a process without permissions: `admitted`, or the error code. */
async function callFrom(service: string, method: (typeof internal)[number]['method']): Promise<string> {
  const caller = { service, tenantId: undefined, subject: undefined, permissions: new Set<string>() };
  const pipeline = createPipeline({ verifier: { verify: async () => caller }, log: testLog, registry: new Registry() });
  const header = (name: string) => (name === 'authorization' ? 'Bearer a.b.c' : null);
  return pipeline.run('grpc', method, header, async () => 'admitted').catch(({ code }) => code);
}

describe('internal operations', () => {
  it('are exactly those that other processes call', () => {
    expect(internal.length).toBeGreaterThan(10);
  });

  it.each(internal)('$method.name names processes of the platform', ({ callers }) => {
    for (const caller of callers) expect(processes).toContain(caller);
  });

  const table = internal.flatMap(({ method, callers }) =>
    processes.map((caller) => ({
      method,
      caller,
      name: method.name,
      result: callers.has(caller) ? 'admitted' : 'PERMISSION_DENIED',
    })),
  );
  it.each(table)('$name called by $caller is $result', async ({ method, caller, result }) => {
    expect(await callFrom(caller, method)).toBe(result);
  });
});

describe('operations of operators', () => {
  it.each(internal.filter(({ method }) => /TenantAdmin|KeyService/.test(method.parent.typeName)))(
    '$method.name has no other caller',
    ({ callers }) => {
      expect([...callers]).toEqual(['operator']);
    },
  );
});
