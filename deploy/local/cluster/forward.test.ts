import { describe, expect, it } from 'vitest';
import type { Ports } from '../process/ports.ts';
import { planForwards } from './forward.ts';
import { processNames, toCommandLine } from './plan.ts';

function portsFrom(first: number): Ports {
  let next = first;
  return { claim: async () => next++, claimExactly: async (port) => port, release: () => undefined };
}

describe('forwarding', () => {
  it('covers the gateway, and the gRPC port of each service as in stack.json', async () => {
    const { commands, info } = await planForwards(portsFrom(20_000));
    const lines = commands.map(toCommandLine);
    expect(lines[0]).toBe('kubectl --namespace survey port-forward service/survey-gateway 8080:80');
    expect(info.gateway).toBe('http://127.0.0.1:8080');
    const services = processNames.filter((name) => name !== 'gateway');
    expect(Object.keys(info.services)).toEqual(services);
    expect(lines.slice(1)).toEqual(
      services.map((name) => {
        const port = info.services[name]?.grpc?.replace('127.0.0.1:', '');
        return `kubectl --namespace survey port-forward service/survey-${name}-pods ${port}:grpc`;
      }),
    );
    expect(new Set(lines).size).toBe(processNames.length);
  });
});
