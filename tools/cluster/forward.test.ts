import type { Ports } from '@survey/local/process/ports';
import { describe, expect, it } from 'vitest';
import { toCommandLine } from './command.ts';
import { planForwards } from './forward.ts';
import { prefixOf, processNames, TRIAL_TARGET } from './names.ts';

function portsFrom(first: number): Ports {
  let next = first;
  return { claim: async () => next++, claimExactly: async (port) => port, release: () => undefined };
}

describe('forwarding', () => {
  it.each([
    [TRIAL_TARGET, 'survey'],
    [{ namespace: 'surveys', release: 'eu' }, 'eu-survey'],
  ])('covers the gateway, and the ports of each process as in stack.json: %j', async (target, prefix) => {
    const { commands, info } = await planForwards(portsFrom(20_000), target);
    const lines = commands.map(toCommandLine);
    const start = `kubectl --namespace ${target.namespace} port-forward service/${prefix}-`;
    expect(lines[0]).toBe(`${start}gateway 8080:http`);
    expect(info.gateway).toBe('http://127.0.0.1:8080');
    expect(Object.keys(info.services)).toEqual(processNames);
    const portOf = (address: string | undefined) => address?.split(':').at(-1);
    const expected = Object.entries(info.services).flatMap(([name, { grpc, admin, tls_name: host }]) => {
      expect(host).toBe(`${prefix}-${name}-pods`);
      return [
        ...(name === 'gateway' ? [] : [`${start}${name}-pods ${portOf(grpc)}:grpc`]),
        `${start}${name}-pods ${portOf(admin)}:admin`,
      ];
    });
    expect(lines.slice(1)).toEqual(expected);
    expect(new Set(lines).size).toBe(2 * processNames.length);
  });

  it.each([
    ['survey', 'survey'],
    ['eu', 'eu-survey'],
    ['survey-eu', 'survey-eu'],
    [`${'a'.repeat(32)}-x`, `${'a'.repeat(32)}-x-surve`],
    [`${'a'.repeat(39)}-x`, 'a'.repeat(39)],
  ])('uses the names of the chart for the release %s', (release, prefix) => {
    expect(prefixOf({ namespace: 'n', release })).toBe(prefix);
  });
});
